import { CommandError } from "../../terminal/terminal.ts";

/**
 * Prints what can't be shown again. If that fails, `undo` revokes it and returns a sentence about the result. Throws
 * CommandError with both; when `undo` fails too, with `otherwise`, which says what is left to do.
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
