import { printable } from "./printable.ts";

/** A note as it is shown: a mark stands for each character that would turn the direction of the others, or command. */
export function toShownNote(note: string): string {
  return printable(note.replaceAll("\r\n", "\n"));
}
