import { SQL } from "bun";
import { codeOf } from "../../../contract/error-traces.ts";
import { UserError } from "../../../contract/user-errors.ts";
import { storageUnavailable } from "../../../domain/storage-refusals.ts";
import { Refusal } from "../../../domain/values/errors.ts";

/** The database cannot be used as it is; the message says what to do. */
export class DatabaseError extends UserError {
  override readonly name = "DatabaseError";

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super("failure", message, options);
  }
}

/** The database can't be used as it is for as long as others use it; the message says what to do. */
export class DatabaseInUse extends DatabaseError {}

/** A pooler has no connection for as long as others have all of them; the message says what to do. */
export class PoolInUse extends DatabaseError {}

/** The database has not answered in time. What was asked of it may be done, or be done later. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The codes with which TLS fails that was not agreed on: OpenSSL's for certificates, and the one for names. */
const TLS_CODE = /^(CERT_|DEPTH_|ERR_TLS_|HOSTNAME_|INVALID_|PATH_|SELF_SIGNED_|UNABLE_TO_)/;

/** The SQLSTATE that PostgreSQL failed with; empty for any other error. */
export function sqlStateOf(error: unknown): string {
  const origin = originOf(error);
  return origin instanceof SQL.PostgresError ? (origin.errno ?? "") : "";
}

/** The words in which PostgreSQL failed, which may quote content; empty for any other error. */
export function messageOf(error: unknown): string {
  const origin = originOf(error);
  return origin instanceof SQL.PostgresError ? origin.message : "";
}

/** The code of a failure that is none of PostgreSQL's own: the driver's, or that of a certificate that is not trusted; otherwise empty. */
export function connectionCodeOf(error: unknown): string {
  return sqlStateOf(error) === "" ? (codeOf(originOf(error)) ?? "") : "";
}

/** True when the connection failed, and not a statement on it. */
export function isConnectionLost(error: unknown): boolean {
  if (isUnanswered(error)) return true;
  const origin = originOf(error);
  if (isOfTls(origin)) return true;
  // 57P: the server is being shut down, or has ended this connection; 25P: it has waited too long for what comes next.
  return origin instanceof SQL.SQLError && (sqlStateOf(error) === "" || /^(08|57P|25P0[34])/.test(sqlStateOf(error)));
}

/** True when the server has not answered in time. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof Error && error.cause instanceof NoAnswer);
}

/**
 * True when something took longer than it may: the server has not answered in time, or has given a statement up, or no
 * connection came about in time.
 */
export function isTooSlow(error: unknown): boolean {
  const isConnecting = connectionCodeOf(error) === "ERR_POSTGRES_CONNECTION_TIMEOUT";
  return isConnecting || isUnanswered(error) || sqlStateOf(error) === "57014";
}

/** True when the server doesn't take the password, or doesn't let the user in. */
export function isLoginRefused(error: unknown): boolean {
  return sqlStateOf(error).startsWith("28");
}

/** True when the server has no room left where its tables are. */
export function isDiskFull(error: unknown): boolean {
  return sqlStateOf(error) === "53100";
}

/** True when the server can't be written: a replica, or one that somebody set so. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === "25006";
}

/** True when a server that could do it before may not do something any more, or doesn't find a table: somebody has changed the database. */
export function isOfChange(error: unknown): boolean {
  return /^(42501|42P01|3F)/.test(sqlStateOf(error));
}

/** The error of the driver in `error`, which drizzle and refusals wrap. */
function originOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof SQL.SQLError || isOfTls(cause) ? cause : error;
}

/** True of a plain error in which the driver says that TLS failed. */
function isOfTls(error: unknown): boolean {
  return !(error instanceof SQL.SQLError) && TLS_CODE.test(codeOf(error) ?? "");
}

/** True when another transaction was first, so that the same may succeed when it is decided anew. */
export function isOutrun(error: unknown): boolean {
  // Serialization failure, deadlock, a key that somebody else has inserted meanwhile, a row that somebody else has deleted.
  return ["40001", "40P01", "23505", "23503"].includes(sqlStateOf(error));
}

/** True of trouble of the server or on the way to it, which is none of ours. */
export function isOutage(error: unknown): boolean {
  const mapped = toStoreError(error);
  return mapped instanceof Refusal && mapped.code === "storage_unavailable";
}

/**
 * The error for a caller whose work was not committed: a Refusal as it is, trouble of the server or on the way to it as
 * `storage_unavailable`, anything else unchanged.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  // Not let in, no database; rolled back for others, lacking resources, stopped by an operator, failing; and a server that can only be read.
  const isTrouble =
    isConnectionLost(error) || isOfChange(error) || /^(25006|28|3D|40|53|55|57|58|XX)/.test(sqlStateOf(error));
  return isTrouble ? storageUnavailable(error) : error;
}
