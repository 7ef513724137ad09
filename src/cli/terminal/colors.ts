import { styleText } from "node:util";
import { wordOf } from "./state-words.ts";
import type { Terminal } from "./terminal.ts";

/** The values of `--color`. */
export const COLOR_CHOICES = ["auto", "always", "never"] as const;

type Stream = "out" | "err";
type Style = Parameters<typeof styleText>[0];

// A process has one standard output and one standard error.
const isColored: Record<Stream, boolean> = { out: false, err: false };

/**
 * Switches colors on or off for what is printed from now on. `auto` colors what goes to a terminal, unless NO_COLOR
 * is set (no-color.org) or the terminal is a dumb one.
 */
export function useColors(
  choice: (typeof COLOR_CHOICES)[number],
  { env, isTerminal }: Pick<Terminal, "env" | "isTerminal">,
): void {
  const isWanted = !env["NO_COLOR"] && env["TERM"] !== "dumb";
  for (const stream of ["out", "err"] as const) {
    isColored[stream] = choice === "auto" ? isWanted && isTerminal[stream] : choice === "always";
  }
}

/** `text` in a color or style, where the stream that it goes to has them. */
export function paint(stream: Stream, style: Style, text: string): string {
  return isColored[stream] ? styleText(style, text, { validateStream: false }) : text;
}

/** A line for standard error, with the beginning of an error or a warning in color. */
export function paintLine(line: string): string {
  return line
    .replace(/^handoff:/, (start) => paint("err", ["bold", "red"], start))
    .replace(/^Warning:/, (start) => paint("err", ["bold", "yellow"], start));
}

// The name of a state is the server's word, such as "constructor".
const STATE_STYLES: ReadonlyMap<string, Style> = new Map([
  ["waiting", "green"],
  ["open", "green"],
  ["active", "green"],
  ["paused", "yellow"],
  ["opened", "dim"],
  ["fulfilled", "dim"],
  ["expired", "dim"],
  ["revoked", "dim"],
]);

/** The word for a state, for standard output, in its color. */
export function paintState(state: string): string {
  const word = wordOf(state);
  const style = STATE_STYLES.get(word);
  return style === undefined ? word : paint("out", style, word);
}
