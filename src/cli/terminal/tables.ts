import { paint, paintState } from "./colors.ts";
import { wordOf } from "./state-words.ts";
import { printable } from "./terminal.ts";

/** Like `formatTable`, but leaves out those of the last columns, headed `rare`, that are empty in every row. */
export function formatRareTable(
  headings: readonly string[],
  rare: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const all = [...headings, ...rare];
  const isShown = all.map((_, column) => column < headings.length || rows.some((row) => row[column]));
  const shownOf = (line: readonly string[]) => line.filter((_, column) => isShown[column]);
  return formatTable(shownOf(all), rows.map(shownOf));
}

/** Lays `rows` out in columns under `headings`, for people. Each row has one cell of one line for each heading. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const isState = headings.map((heading) => heading === "STATE");
  const worded = rows.map((line) => line.map((cell, column) => (isState[column] ? wordOf(cell) : cell)));
  const lines = [headings, ...worded].map((line) => line.map((cell) => printable(cell).replace(/[\n\t]/g, " ")));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ""))));
  const format = (line: readonly string[], row: number) =>
    line
      .map((cell, column) => {
        const shown = row === 0 ? paint("out", "bold", cell) : isState[column] ? paintState(cell) : cell;
        return shown + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell));
      })
      .join("  ")
      .trimEnd();
  return `${lines.map(format).join("\n")}\n`;
}
