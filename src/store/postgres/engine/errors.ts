import { SQL } from "bun";
import { UserError } from "../../../contract/user-errors.ts";
import { Refusal } from "../../../domain/errors.ts";

const NOTHING_DONE = "Nothing was stored or handed out. Retry after Retry-After seconds.";
const OUTCOME_UNKNOWN =
  "The database was not heard of any more while this was written, so the outcome is unknown. Retry after Retry-After seconds, with the same Idempotency-Key.";

/** The database cannot be used as it is; the message says what to do. */
export class DatabaseError extends UserError {
  override readonly name = "DatabaseError";

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super("failure", message, options);
  }
}

/** The database has not answered in time. What was asked of it may be done, or be done later. */
export class NoAnswer extends Error {}

/** The refusal for when nothing was stored and nothing handed out. */
export function storageUnavailable(cause?: unknown): Refusal {
  return new Refusal("storage_unavailable", { detail: NOTHING_DONE, cause });
}

/** The refusal for when what was to be stored or handed out may have been. */
export function outcomeUnknown(cause: unknown): Refusal {
  return new Refusal("storage_unavailable", { detail: OUTCOME_UNKNOWN, cause });
}

/** The SQLSTATE that PostgreSQL failed with; empty for any other error. */
export function sqlStateOf(error: unknown): string {
  // drizzle wraps what the driver throws.
  const origin = error instanceof Error && error.cause instanceof SQL.SQLError ? error.cause : error;
  return origin instanceof SQL.PostgresError ? (origin.errno ?? "") : "";
}

/** True when the connection failed, and not a statement on it. */
export function isConnectionLost(error: unknown): boolean {
  if (isUnanswered(error)) return true;
  const origin = error instanceof Error && error.cause instanceof SQL.SQLError ? error.cause : error;
  // 57P: the server is being shut down, or has ended this connection; 25P: it has waited too long for what comes next.
  return origin instanceof SQL.SQLError && (sqlStateOf(error) === "" || /^(08|57P|25P0[34])/.test(sqlStateOf(error)));
}

/** True when the server has not answered in time. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof Error && error.cause instanceof NoAnswer);
}

/** True when the server can't be written: a replica, or one that somebody set so. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === "25006";
}

/** True when another transaction was first, so that the same may succeed when it is decided anew. */
export function isOutrun(error: unknown): boolean {
  // Serialization failure, deadlock, a key that somebody else has inserted meanwhile.
  return ["40001", "40P01", "23505"].includes(sqlStateOf(error));
}

/**
 * The error for a caller whose work was not committed: a Refusal as it is, trouble of the server or on the way to it as
 * `storage_unavailable`, anything else unchanged.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  // Rolled back for others, lacking resources, stopped by an operator, failing; and a server that can only be read.
  const isTrouble = isConnectionLost(error) || /^(25006|40|53|55|57|58|XX)/.test(sqlStateOf(error));
  return isTrouble ? storageUnavailable(error) : error;
}
