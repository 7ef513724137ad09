import { areWords } from "../../client/signing-in/decisions.ts";

/** The words of an ask for people; `-` for anything else that a server says in their place. */
export function formatWords(words: readonly string[]): string {
  return areWords(words) ? words.join(", ") : "-";
}
