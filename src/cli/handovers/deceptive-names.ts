import { replaceUnseen } from "../../contract/names.ts";
import type { DecodedContent } from "../../crypto/contents.ts";
import { DeliveryError } from "../terminal/repeats.ts";
import { toLine } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The names that a warning shows. */
const SHOWN = 10;

/** Somebody does not want names to be written that can deceive, or nobody could be asked. */
export class DeclinedNames extends DeliveryError {}

/**
 * Warns of names of files with characters that can't be seen, or that turn the direction of text, and asks whether to
 * write them; with `yes`, as `--yes` says it, nobody is asked. Names that were made safe have none. Throws
 * DeclinedNames for any other answer than yes, and where nobody can be asked.
 */
export async function allowNames(terminal: Terminal, content: DecodedContent, yes: boolean): Promise<void> {
  const files = content.kind === "files" || content.kind === "both" ? content.files : [];
  const names = files.map(({ name }) => name).filter((name) => shown(name) !== name);
  if (names.length === 0) return;
  const what = names.length === 1 ? "A name has" : `${names.length} names have`;
  terminal.say(
    `Warning: ${what} characters that can't be seen or that change what you read. With \uFFFD in their place:`,
  );
  for (const name of names.slice(0, SHOWN)) terminal.say(`  ${shown(name)}`);
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

function shown(name: string): string {
  return replaceUnseen(toLine(name), "\uFFFD");
}
