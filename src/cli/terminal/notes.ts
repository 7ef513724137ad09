import { printable } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

/** The width of a line in columns: narrower than terminals, so that they don't wrap it. */
const WIDTH = 72;

/** Prints the note of the person who asked, marked so that no part of it looks like a line of ours. */
export function sayNote({ say }: Pick<Terminal, "say">, note: string): void {
  say("You are asked for a secret. Each line behind a | is from the person who asked, not from handoff:");
  for (const line of printable(note).replaceAll("\t", " ").split("\n")) {
    for (const row of rowsOf(line)) say(`  | ${row}`);
  }
}

function rowsOf(line: string): string[] {
  const rows = [""];
  let width = 0;
  for (const character of line) {
    width += Bun.stringWidth(character);
    if (width > WIDTH) {
      rows.push("");
      width = Bun.stringWidth(character);
    }
    rows[rows.length - 1] += character;
  }
  return rows;
}
