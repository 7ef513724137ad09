import { CommandError, usageError } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Asks whoever sits at the terminal whether to go on; with `yes`, as `--yes` says it, nobody is asked. Throws CommandError for
 * any other answer than yes, and where nobody can be asked.
 */
export async function confirm(terminal: Terminal, question: string, yes: boolean): Promise<void> {
  if (yes) return;
  const answer = await terminal.ask(`${question} [y/N] `);
  if (answer === undefined) throw usageError("There is no terminal to ask at. Add --yes to go on without a question.");
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError("Nothing was changed.");
}
