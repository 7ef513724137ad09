import { isBlank } from "../../crypto/contents.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The value of the environment variable that `flag` names. Throws CommandError when it is empty, or is no text. */
export function readVariable({ env }: Pick<Terminal, "env">, flag: string, name: string): string {
  // An argument that is no name may be the secret itself, typed in the wrong place, so it isn't repeated.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw usageError(`${flag}: expected the name of a variable, not its value`);
  }
  const text = env[name];
  if (!text || isBlank(text)) throw usageError(`the environment variable '${name}' is not set, or is empty`);
  // Bun puts this character in the place of bytes that are no UTF-8.
  if (text.includes("\uFFFD"))
    throw usageError(`the environment variable '${name}' is not text: give it in a file instead`);
  return text;
}
