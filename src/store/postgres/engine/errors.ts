import { SQL } from "bun";
import { codeOf } from "../../../contract/error-traces.ts";
import { UserError } from "../../../contract/user-errors.ts";
import { storageUnavailable } from "../../../domain/storage-refusals.ts";
import { Refusal } from "../../../domain/values/errors.ts";

/** The database can't be used as it is. The message says what to do. */
export class DatabaseError extends UserError {
  override readonly name = "DatabaseError";

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super("failure", message, options);
  }
}

/** The database can't be used while others use it. The message says what to do. */
export class DatabaseInUse extends DatabaseError {}

/** All connections of a pooler are in use. The message says what to do. */
export class PoolInUse extends DatabaseError {}

/** The database has not answered in time. The statement may have taken effect, or may do so later. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The codes of a failed TLS handshake: OpenSSL's for certificates, and the one for host names. */
const TLS_CODE = /^(CERT_|DEPTH_|ERR_TLS_|HOSTNAME_|INVALID_|PATH_|SELF_SIGNED_|UNABLE_TO_)/;

/** The SQLSTATE of an error from PostgreSQL; empty for any other error. */
export function sqlStateOf(error: unknown): string {
  const driverError = driverErrorOf(error);
  return driverError instanceof SQL.PostgresError ? (driverError.errno ?? "") : "";
}

/** The message of an error from PostgreSQL, which may quote content; empty for any other error. */
export function messageOf(error: unknown): string {
  const driverError = driverErrorOf(error);
  return driverError instanceof SQL.PostgresError ? driverError.message : "";
}

/**
 * The driver's code of a failed connection, or the code of an untrusted certificate; empty for an error from
 * PostgreSQL.
 */
export function connectionCodeOf(error: unknown): string {
  return sqlStateOf(error) === "" ? (codeOf(driverErrorOf(error)) ?? "") : "";
}

/** True when the connection failed rather than a statement on it. */
export function isConnectionLost(error: unknown): boolean {
  if (isUnanswered(error)) return true;
  const driverError = driverErrorOf(error);
  if (isTlsError(driverError)) return true;
  // 57P: the server shuts down, or has closed this connection. 25P: the connection was idle for too long.
  return (
    driverError instanceof SQL.SQLError && (sqlStateOf(error) === "" || /^(08|57P|25P0[34])/.test(sqlStateOf(error)))
  );
}

/** True when the server has not answered in time. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof Error && error.cause instanceof NoAnswer);
}

/**
 * True when a time limit has passed: that for an answer, the server's own for a statement, or that for a connection.
 */
export function isTooSlow(error: unknown): boolean {
  const isConnecting = connectionCodeOf(error) === "ERR_POSTGRES_CONNECTION_TIMEOUT";
  return isConnecting || isUnanswered(error) || sqlStateOf(error) === "57014";
}

/** True when the server rejects the password or the user. */
export function isLoginRefused(error: unknown): boolean {
  return sqlStateOf(error).startsWith("28");
}

/** True when PostgreSQL starts, recovers or shuts down. */
export function isLettingNobodyIn(error: unknown): boolean {
  return sqlStateOf(error) === "57P03";
}

/** True when the disk of the server's tables is full. */
export function isDiskFull(error: unknown): boolean {
  return sqlStateOf(error) === "53100";
}

/** True when the database is read-only: a replica, or one that was configured so. */
export function isReadOnly(error: unknown): boolean {
  return sqlStateOf(error) === "25006";
}

/**
 * True when a table or a right is missing that was there when the database was opened, because the database has been
 * changed since.
 */
export function isMissingTableOrRight(error: unknown): boolean {
  return /^(42501|42P01|3F)/.test(sqlStateOf(error));
}

/** The driver's error in `error`, which drizzle and refusals wrap. */
function driverErrorOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof SQL.SQLError || isTlsError(cause) ? cause : error;
}

/** True for a plain error by which the driver reports a failed TLS handshake. */
function isTlsError(error: unknown): boolean {
  return !(error instanceof SQL.SQLError) && TLS_CODE.test(codeOf(error) ?? "");
}

/** True for a serialization failure, a deadlock, or a unique or foreign-key race: a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  // Serialization failure, deadlock, a key that was inserted meanwhile, a row that was deleted meanwhile.
  return ["40001", "40P01", "23505", "23503"].includes(sqlStateOf(error));
}

/** True when the error is an outage of the server or of the connection to it. */
export function isOutage(error: unknown): boolean {
  const mapped = toStoreError(error);
  return mapped instanceof Refusal && mapped.code === "storage_unavailable";
}

/**
 * Returns the error for a caller whose work was not committed: a Refusal as it is, an outage as a Refusal
 * `storage_unavailable`, and any other error unchanged.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  // 28, 3D: login refused, no such database. 40, 53, 55, 57, 58, XX: rolled back, out of resources, locked, stopped by
  // an operator, failing. 25006: read-only.
  const isOutageState =
    isConnectionLost(error) ||
    isMissingTableOrRight(error) ||
    /^(25006|28|3D|40|53|55|57|58|XX)/.test(sqlStateOf(error));
  return isOutageState ? storageUnavailable(error) : error;
}
