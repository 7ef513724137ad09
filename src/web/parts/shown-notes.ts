// Newline and tab are what a note may have of them.
const MISLEADING = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A note as it is shown: a mark stands for each character that would turn the direction of the others, or command. */
export function toShownNote(note: string): string {
  return note.replaceAll("\r\n", "\n").replace(MISLEADING, "\uFFFD");
}
