import { printable } from "./printable.ts";

/**
 * Returns a note for display, with a mark for each control character and each that changes the direction of writing.
 */
export function toShownNote(note: string): string {
  return printable(note.replaceAll("\r\n", "\n"));
}
