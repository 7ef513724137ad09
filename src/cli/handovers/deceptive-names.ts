import { replaceUnseen } from "../../contract/names.ts";
import type { FileFacts } from "../../crypto/archive-streams.ts";
import { DeliveryError } from "../terminal/repeats.ts";
import { toLine } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The names that a warning shows. */
const SHOWN = 10;

/** The person declined to write deceptive file names, or nobody could be asked. */
export class DeclinedNames extends DeliveryError {}

/**
 * Warns of file names with invisible characters or with characters that turn the text direction, and asks whether to
 * write them. With `yes` (`--yes`), nobody is asked. Names that were made safe have no such characters. Throws
 * DeclinedNames for any answer but yes, and when nobody can be asked.
 */
export async function allowNames(terminal: Terminal, files: readonly FileFacts[], yes: boolean): Promise<void> {
  const names = files.map(({ name }) => name).filter((name) => showName(name) !== name);
  if (names.length === 0) return;
  const what = names.length === 1 ? "A name has" : `${names.length} names have`;
  terminal.say(
    `Warning: ${what} characters that can't be seen or that change what you read. With \uFFFD in their place:`,
  );
  for (const name of names.slice(0, SHOWN)) terminal.say(`  ${showName(name)}`);
  if (names.length > SHOWN) terminal.say(`  and ${names.length - SHOWN} more`);
  if (yes) return;
  const answer = await terminal.ask(`Write ${names.length === 1 ? "this name" : "these names"} all the same? [y/N] `);
  if (answer === undefined) {
    throw new DeclinedNames(
      "There is no terminal to ask at.",
      "Run the same command with --yes, or without --exact-names,",
      "usage",
    );
  }
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new DeclinedNames("Nothing was written.", "Run the same command without --exact-names,");
  }
}

/** A name on one line, without characters that nobody can see. */
export function showName(name: string): string {
  return replaceUnseen(toLine(name), "\uFFFD");
}
