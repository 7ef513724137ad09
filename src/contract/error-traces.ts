import { codeOf } from "./system-codes.ts";

/** The part of an unforeseen error that may be shown and logged: never its message, which may quote input. */
export interface ErrorTrace {
  /** The name of its class, or the type of what was thrown. */
  readonly error: string;
  /** The code of the system, SQLite or PostgreSQL, such as `ENOSPC`, `SQLITE_CORRUPT` or `53100`. */
  readonly code?: string;
  /** The places in the program that led to it, the innermost first. */
  readonly at: readonly string[];
  readonly cause?: ErrorTrace;
}

const MAX_FRAMES = 8;
const MAX_CAUSES = 3;
const NAME = /^[A-Za-z_$][\w$]{0,60}$/;
const CODE = /^\w{1,60}$/;
const FRAME = /^\s+at .*:\d+:\d+\)?$/;

/** The trace of what was thrown, with its causes. */
export function traceOf(thrown: unknown, depth = 0): ErrorTrace {
  if (!(thrown instanceof Error)) return { error: typeof thrown, at: [] };
  const { name, cause } = thrown;
  const code = codeOf(thrown);
  return {
    error: NAME.test(name) ? name : "Error",
    ...(code !== undefined && CODE.test(code) ? { code } : {}),
    at: framesOf(thrown),
    ...(cause === undefined || depth >= MAX_CAUSES ? {} : { cause: traceOf(cause, depth + 1) }),
  };
}

/** A stack begins with the message, lines of which may look like places. */
function framesOf({ message, stack = "" }: Error): string[] {
  const end = stack.indexOf(message);
  const behind = end < 0 ? "" : stack.slice(end + message.length);
  return behind
    .split("\n")
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());
}
