/** One line of the result. */
export interface Row {
  readonly measure: string;
  readonly value: string;
  /** The value to compare with. */
  readonly baseline: string;
  readonly ratio: string;
  /** The target value; empty when there is none. */
  readonly aim: string;
  /** The share of a core that the load generator needed, for a rate. */
  readonly generator?: string;
}

const COLUMNS = ["measure", "value", "baseline", "ratio", "aim", "generator"] as const;

/** The rows of a benchmark as a Markdown table. */
export function rowTable(rows: readonly Row[]): string {
  return markdownTable(
    COLUMNS,
    rows.map((row) => COLUMNS.map((column) => row[column] ?? "")),
  );
}

/** A Markdown table; all columns but the first are figures. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [toLine(columns), `| --- |${" ---: |".repeat(columns.length - 1)}`, ...rows.map(toLine)].join("\n");
}

/** A target, with a mark when it is missed. */
export function aim(text: string, isMet: boolean): string {
  return isMet ? text : `${text} (missed)`;
}

/** A whole number with separators: `12,345`. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Milliseconds with one decimal, or two for small values. */
export function milliseconds(value: number): string {
  return `${value.toFixed(value < 1 ? 2 : 1)} ms`;
}

/** Whole microseconds. */
export function microseconds(value: number): string {
  return `${Math.round(value)} µs`;
}

/** A share as whole percents. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Bytes as megabytes of a million. */
export function megabytes(value: number): string {
  return `${(value / 1e6).toFixed(1)} MB`;
}
