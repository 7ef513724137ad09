import { toLine } from "./terminal.ts";

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@]/;

/**
 * One line of CSV (RFC 4180), with its end. A cell that a spreadsheet would compute begins with an apostrophe, and no
 * cell has control characters.
 */
export function formatCsv(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(cell: string): string {
  const line = toLine(cell);
  // A tab has become a space, after which a formula would begin too.
  const safe = FORMULA.test(line.trimStart()) ? `'${line}` : line;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
