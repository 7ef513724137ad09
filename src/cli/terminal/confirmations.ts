import { CommandError, usageError } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

/** Asks whether to continue, unless `yes`. Throws CommandError for any answer but yes, and without a terminal. */
export async function confirm(terminal: Terminal, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  const answer = await terminal.ask(`${question} [y/N] `);
  if (answer === undefined) throw usageError("There is no terminal to ask at. Add --yes to go on without a question.");
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("Nothing was changed.");
}
