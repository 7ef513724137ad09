import { printable } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

/** The columns of a line: narrower than terminals are, so that none begins a line of its own where we do not. */
const WIDTH = 72;

/** Says what the person who asked has written, marked so that none of it can be taken for a line of ours. */
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
