import { CommandError } from "../../terminal/terminal.ts";

/**
 * Shows what cannot be shown again. When it cannot be printed, nobody has it: `undo` takes it back and says in a
 * sentence how things are now. Throws CommandError with both; with `otherwise`, what is left to do, when `undo` fails
 * too.
 */
export async function showOnce(show: () => void, undo: () => Promise<string>, otherwise: string): Promise<void> {
  try {
    show();
  } catch (error) {
    const why = error instanceof CommandError ? error.message : "standard output cannot be written";
    const now = await undo().catch(() => otherwise);
    throw new CommandError(`It can't be printed: ${why}. ${now}`);
  }
}
