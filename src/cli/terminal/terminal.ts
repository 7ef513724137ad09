import { replaceUnprintable, toPrintableJson } from "../../contract/names.ts";
import { hideTokens } from "../../contract/tokens.ts";
import { UserError } from "../../contract/user-errors.ts";
import type { ErrorKind } from "../../contract/user-errors.ts";
import { withPriority } from "./log-lines.ts";

/** The surroundings that a command may touch; tests replace the process. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True when a person is at standard input, output, error. */
  readonly isTerminal: { readonly in: boolean; readonly out: boolean; readonly err: boolean };
  /** True in the calls of an agent, which doesn't go on with what commands have begun. */
  readonly isAgent?: true;
  /** True when standard output was closed when the program was started. */
  readonly isOutClosed: boolean;
  /** Writes to standard output as it is, completely. Throws CommandError when that fails. */
  readonly out: (content: string | Uint8Array) => void;
  /**
   * Writes a line to standard error that must be seen: a warning, or a part of a question. For others there is
   * `remark`.
   */
  readonly say: (line: string) => void;
  /** True when only such lines are written: with --quiet. */
  readonly isQuiet: () => boolean;
  /**
   * Writes a line, with its end, to standard error: soon, and before any later output. It is lost if it can't be
   * written.
   */
  readonly log: (line: string) => void;
  /** Shows a line on standard error that the next one replaces; an empty one removes it. Only on a terminal. */
  readonly show: (line: string) => void;
  /** True when standard input is a pipe, or a file that isn't empty. */
  readonly isPiped: () => boolean;
  /** Reads standard input to its end. Throws CommandError on Ctrl-C. */
  readonly readAll: () => Promise<Uint8Array>;
  /** The same in pieces, as they come. */
  readonly readPieces: () => AsyncGenerator<Uint8Array, void>;
  /**
   * Asks at the terminal, `hidden` without echo. Undefined without a terminal. Throws CommandError on Ctrl-C and
   * Ctrl-D.
   */
  readonly ask: (question: string, options?: { readonly hidden?: boolean }) => Promise<string | undefined>;
  /** Standard input and output for a protocol; nothing else writes there then. */
  readonly streams: () => { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };
  /** Takes over the first signal, which aborts the returned one. A second signal ends the process at once. */
  readonly interruptible: () => AbortSignal;
  /** Makes SIGHUP call `listener` from now on, without ending the process. */
  readonly onHangup: (listener: () => void) => void;
  /** Makes every such signal call `forward` from now on, without ending the process. */
  readonly forwardSignals: (forward: (signal: NodeJS.Signals) => void) => void;
}

/** A command failed; the message is for the user. */
export class CommandError extends UserError {
  override readonly name = "CommandError";

  constructor(message: string, kind: ErrorKind = "failure", cause?: unknown) {
    super(kind, message, { cause });
  }
}

/**
 * Writes a line to standard error that may be missed: what was done, or what can be done next. Left out with --quiet.
 */
export function remark({ say, isQuiet }: Pick<Terminal, "say" | "isQuiet">, line: string): void {
  if (!isQuiet()) say(line);
}

/** Writes a warning to standard error: a sentence or more. */
export function warn({ say }: Pick<Terminal, "say">, text: string): void {
  say(withPriority("warn", `Warning: ${text}`));
}

/** `text` without control characters and others that could deceive a reader or command a terminal. */
export function printable(text: string): string {
  return replaceUnprintable(text, (character) => (character === "\n" || character === "\t" ? character : "\uFFFD"));
}

/** The same on one line, so that no part of it looks like a line of ours. */
export function toLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, " ");
}

/** One line of JSON, which escapes what `printable` removes, so that a program still gets all of it. */
export function formatJson(value: unknown): string {
  return `${toPrintableJson(value)}\n`;
}

/** Throws CommandError when there is no standard output to write to, before anything is used up or stored. */
export function checkStandardOutput({ isOutClosed }: Terminal): void {
  if (isOutClosed) throw usageError("Standard output is closed.");
}

// Something must follow the dot, so that help can show the form of a link. Some programs percent-encode it.
const LINK_END = /(#|%23)1p?(\.|%2E)[\w-]/i;

/** Removes links, keys and tokens from a text, which may come from a mistyped call. */
export function redact(text: string): string {
  const rest = text
    .replace(/\S+/g, (word) => (LINK_END.test(word) ? "[link]" : word))
    .replace(/AGE-SECRET-KEY-\S*/gi, "[key]");
  return hideTokens(rest, "[token]");
}

/** The error for invalid usage; the message says what was expected. */
export function usageError(message: string): CommandError {
  return new CommandError(message, "usage");
}
