import { UserError } from "./user-errors.ts";

/** The part of an unexpected error that may be shown and logged. It has no message, because that may quote input. */
export interface ErrorTrace {
  /** The name of the error's class, or the type of a thrown value. */
  readonly error: string;
  /** The code of the operating system, SQLite or PostgreSQL, such as `ENOSPC`, `SQLITE_CORRUPT` or `53100`. */
  readonly code?: string;
  /** The stack frames, innermost first. */
  readonly at: readonly string[];
  readonly cause?: ErrorTrace;
}

const MAX_FRAMES = 8;
const MAX_CAUSES = 3;
const NAME = /^[A-Za-z_$][\w$]{0,60}$/;
const CODE = /^\w{1,60}$/;
const FRAME = /^\s+at .*:\d+:\d+\)?$/;

/** Returns the trace of a thrown value, with those of its causes. */
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

/** A stack begins with the message, and lines of a message may look like frames. */
function framesOf({ message, stack = "" }: Error): string[] {
  const end = stack.indexOf(message);
  const behind = end < 0 ? "" : stack.slice(end + message.length);
  return behind
    .split("\n")
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());
}

/** The form of handoff's own codes, such as `storage_unavailable` and `usage`. */
const OWN_CODE = /^[a-z_]+$/;

/** The driver's code for every error of PostgreSQL, whose own code is the SQLSTATE. */
const OF_POSTGRES = "ERR_POSTGRES_SERVER_ERROR";

/** An error's code of the system, runtime or PostgreSQL, such as `ENOENT` or `53100`; undefined for handoff's own. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof UserError) return undefined;
  if (!("code" in error) || typeof error.code !== "string") return undefined;
  if (error.code === OF_POSTGRES && "errno" in error && typeof error.errno === "string") return error.errno;
  return OWN_CODE.test(error.code) ? undefined : error.code;
}
