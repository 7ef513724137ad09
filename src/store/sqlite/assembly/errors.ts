import type { ErrorCode } from "../../../contract/error-codes.ts";
import { codeOf } from "../../../contract/error-traces.ts";
import { Refusal } from "../../../domain/values/errors.ts";
import type { RefusalOptions } from "../../../domain/values/errors.ts";
import { DatabaseError } from "../files/errors.ts";

/** An error as data. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The name that the system or SQLite gives it; undefined without one. */
  readonly code: string | undefined;
  /** For a Refusal: its code, and its options except the cause. */
  readonly refusal: { readonly code: ErrorCode; readonly options: RefusalOptions } | undefined;
  /** True for a DatabaseError, whose message is for the sysadmin. */
  readonly isForSysadmin: boolean;
  readonly cause: ErrorData | undefined;
}

/** The maximum number of causes that are sent with an error, which can be its own cause. */
const MOST_CAUSES = 4;

/** An error as data, with the first few of its causes. */
export function toErrorData(thrown: unknown, causes = MOST_CAUSES): ErrorData {
  if (!(thrown instanceof Error)) return toErrorData(new Error(`${typeof thrown} was thrown`));
  const { name, message, stack } = thrown;
  const cause = thrown.cause === undefined || causes === 0 ? undefined : toErrorData(thrown.cause, causes - 1);
  const isForSysadmin = thrown instanceof DatabaseError;
  return { name, message, stack, code: codeOf(thrown), refusal: refusalOf(thrown), isForSysadmin, cause };
}

function refusalOf(thrown: Error): ErrorData["refusal"] {
  if (!(thrown instanceof Refusal)) return undefined;
  const { cause: _cause, ...options } = thrown.options;
  return { code: thrown.code, options };
}

/** The error that the data describes: a Refusal, a DatabaseError, or an Error with its name, code and trace. */
export function toError({ name, message, stack, code, refusal, isForSysadmin, cause: causeData }: ErrorData): Error {
  const cause = causeData && toError(causeData);
  if (isForSysadmin) return new DatabaseError(message, { cause });
  if (refusal) return new Refusal(refusal.code, { ...refusal.options, ...(cause && { cause }) });
  const error = Object.assign(new Error(message, cause && { cause }), code !== undefined && { code });
  // The place where it was thrown, and not this one.
  if (stack !== undefined) error.stack = stack;
  error.name = name;
  return error;
}
