import { hideTokens } from "../../contract/tokens.ts";
import { UserError } from "../../contract/user-errors.ts";
import type { ErrorKind } from "../../contract/user-errors.ts";
import { withPriority } from "./log-lines.ts";

/** The part of the world that a command may touch; in tests something else than the process. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True when a person sits at standard input, output, error. */
  readonly isTerminal: { readonly in: boolean; readonly out: boolean; readonly err: boolean };
  /** True when standard output was closed when the program was started. */
  readonly isOutClosed: boolean;
  /** Writes to standard output as it is, to the last byte. Throws CommandError when that cannot be. */
  readonly out: (content: string | Uint8Array) => void;
  /**
   * Writes a line to standard error, which has to be seen: a warning, or what belongs to a question. For others there
   * is `remark`.
   */
  readonly say: (line: string) => void;
  /** True when nothing is to be said but that: with --quiet. */
  readonly isQuiet: () => boolean;
  /**
   * Writes a line, with its end, to standard error: soon, and before whatever is said after it. One that cannot be
   * written is lost.
   */
  readonly log: (line: string) => void;
  /** Shows a line on standard error that the next one replaces; an empty one takes it away. Only on a terminal. */
  readonly show: (line: string) => void;
  /** Standard input to its end. Throws CommandError on Ctrl-C. */
  readonly readAll: () => Promise<Uint8Array>;
  /** Asks at the terminal, `hidden` without echo. Undefined without one. Throws CommandError on Ctrl-C and Ctrl-D. */
  readonly ask: (question: string, options?: { readonly hidden?: boolean }) => Promise<string | undefined>;
  /** Standard input and output for a protocol that is spoken over them; nothing else writes there then. */
  readonly streams: () => { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };
  /** Takes over the first signal, which aborts the returned one. A second signal ends the process at once. */
  readonly interruptible: () => AbortSignal;
  /** From now on SIGHUP calls `listener`, and ends nothing. */
  readonly onHangup: (listener: () => void) => void;
  /** From now on hands every such signal to `forward` and ends for none of them. */
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
 * Writes a line to standard error that nobody needs to see: what was done, or what can be done next. With --quiet it is
 * left out.
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
  return text.replace(UNPRINTABLE, (character) => (character === "\n" || character === "\t" ? character : "\uFFFD"));
}

/** The same in one line, so that nothing of it can be taken for a line of ours. */
export function toLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, " ");
}

/** One line of JSON, in which what `printable` takes out is escaped, so that it says the same to a program. */
export function formatJson(value: unknown): string {
  const escape = (character: string) =>
    Array.from({ length: character.length }, (_, at) => hexEscape(character.charCodeAt(at))).join("");
  return `${JSON.stringify(value).replace(UNPRINTABLE, escape)}\n`;
}

// Of Unicode: controls, format characters such as those that turn the direction, surrogates, what has no meaning (yet),
// and the two that end lines.
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

function hexEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** Throws CommandError when there is no standard output to write to: before anything is used up or stored. */
export function checkStandardOutput({ isOutClosed }: Terminal): void {
  if (isOutClosed) throw usageError("Standard output is closed.");
}

// With something behind the dot, so that what a link looks like can be shown; percent-encoded as some programs pass it
// on.
const LINK_END = /(#|%23)1p?(\.|%2E)[\w-]/i;

/** Removes links, keys and tokens from a text, which a mistyped call can have in it. */
export function redact(text: string): string {
  const rest = text
    .replace(/\S+/g, (word) => (LINK_END.test(word) ? "[link]" : word))
    .replace(/AGE-SECRET-KEY-\S*/gi, "[key]");
  return hideTokens(rest, "[token]");
}

/** Called in a way that cannot be; the message says what was expected. */
export function usageError(message: string): CommandError {
  return new CommandError(message, "usage");
}
