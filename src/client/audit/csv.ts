/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@]/;
// oxlint-disable-next-line no-control-regex -- they are to be found
const BREAKS = /[\0-\x1F\x7F-\x9F]/g;

/**
 * One line of CSV (RFC 4180), with its end. A cell that a spreadsheet would compute begins with an apostrophe, and a
 * space is in place of each control character.
 */
export function formatCsv(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(cell: string): string {
  const line = cell.replace(BREAKS, " ");
  // A formula begins after spaces too.
  const safe = FORMULA.test(line.trimStart()) ? `'${line}` : line;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
