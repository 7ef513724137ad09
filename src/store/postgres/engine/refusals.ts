import {
  connectionCodeOf,
  DatabaseError,
  DatabaseInUse,
  isConnectionLost,
  messageOf,
  PoolInUse,
  sqlStateOf,
} from "./errors.ts";
import { POOL_EXHAUSTED, TRANSACTION_MODE } from "./poolers.ts";

/** The reason why a database can't be opened. */
export interface OpeningRefusal {
  /** What is wrong and what to do, for the admin. */
  readonly error: DatabaseError;
  /** True when a retry may help. */
  readonly mayPass: boolean;
}

/** The reasons for the admin, by SQLSTATE. */
const REASONS: Readonly<Record<string, string>> = {
  "28P01": "PostgreSQL doesn't take the password. Check it in the URL",
  "28000": "PostgreSQL doesn't let this user in from here. Check user and sslmode in the URL, and pg_hba.conf",
  "26000": TRANSACTION_MODE,
  "42P05": TRANSACTION_MODE,
  "3D000": "there is no database of this name in PostgreSQL. Make it with: createdb",
  "25006":
    "the database can only be read: it is a replica, or set to be read-only. Name the primary in the URL, or promote this one",
};

const METHOD_REASON =
  "PostgreSQL asks for a password in a way that isn't known here. Let pg_hba.conf ask for scram-sha-256";

/**
 * The SQLSTATEs of temporary failures: too many connections, starting up, shutting down, a lock timeout, a replica that
 * is promoted soon.
 */
const TEMPORARY = /^(08|53|57|25006|40|55P03)/;

/** The reasons for the admin by the code of a failed connection. None of them is temporary. */
const CONNECTION_REASONS: Readonly<Record<string, string>> = {
  ERR_POSTGRES_CHANNEL_BINDING_FAILED:
    "the password can't be bound to the TLS connection with PostgreSQL, as channel_binding in the URL asks. Look whether something between ends TLS, or whether the certificate is one of Ed25519",
  ERR_POSTGRES_CHANNEL_BINDING_REQUIRED:
    "PostgreSQL doesn't bind the password to the TLS connection, which channel_binding in the URL asks for. Turn on ssl in postgresql.conf, and let pg_hba.conf ask for scram-sha-256",
  ERR_POSTGRES_TLS_NOT_AVAILABLE:
    "PostgreSQL has no TLS, which sslmode in the URL asks for. Turn on ssl in postgresql.conf",
  ERR_POSTGRES_UNKNOWN_AUTHENTICATION_METHOD: METHOD_REASON,
  ERR_POSTGRES_UNSUPPORTED_AUTHENTICATION_METHOD: METHOD_REASON,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "the certificate of PostgreSQL is for another host. Name the host in the URL as the certificate does",
};

/** The codes of untrusted certificates. None of them is temporary. */
const UNTRUSTED = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_(UNTRUSTED|REJECTED|REVOKED|SIGNATURE)|INVALID_)/;

/** Messages about outages of a running server, by SQLSTATE. They are shown to every user. */
const LATER_REASONS: Readonly<Record<string, string>> = {
  "28P01":
    "PostgreSQL doesn't accept the password of this server any more. Put the new one into the file of --database-url-file, which is read again by itself; where it is in a variable or a credential of systemd, restart the server.",
  "28000":
    "PostgreSQL doesn't let the user of this server in any more. Look at whether it may log in (LOGIN), at sslmode in the URL and at pg_hba.conf.",
  "57P03": "PostgreSQL starts, recovers or shuts down, and lets nobody in. The server goes on by itself once it does.",
  "3D000":
    "PostgreSQL has no database of this name any more. Once it has the same one again, the server goes on by itself; to begin on another one, restart it.",
  "42501":
    "PostgreSQL doesn't let the user of this server into the database or its tables any more. Give it its rights back; then the server goes on by itself.",
};

/**
 * A message about why an open database can't be reached, shown to every user; undefined for an error that gives no
 * reason.
 */
export function findLaterReason(error: unknown): string | undefined {
  const state = sqlStateOf(error);
  if (state !== "") return LATER_REASONS[state];
  const reason = findConnectionReason(connectionCodeOf(error))?.reason;
  return reason === undefined ? undefined : toSentence(reason);
}

/** Turns a reason, which is lowercase and without a period, into a sentence. */
export function toSentence(reason: string): string {
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;
}

/** Finds why a database could not be opened. Returns undefined for any other error. */
export function findRefusal(error: unknown): OpeningRefusal | undefined {
  if (error instanceof DatabaseError)
    return { error, mayPass: error instanceof DatabaseInUse || error instanceof PoolInUse };
  const found = findReason(error);
  return found && { error: new DatabaseError(found.reason, { cause: error }), mayPass: found.mayPass };
}

/** The SQLSTATEs for missing objects and missing rights. Their messages contain names and no stored content. */
const NAMING_STATES = /^(42|3F|2B|0A|55000)/;

function findReason(error: unknown): { readonly reason: string; readonly mayPass: boolean } | undefined {
  const state = sqlStateOf(error);
  if (REASONS[state] === TRANSACTION_MODE) return { reason: TRANSACTION_MODE, mayPass: false };
  if (state === "08P01") return findPoolerReason(messageOf(error));
  if (NAMING_STATES.test(state)) return { reason: reasonOfNames(state, messageOf(error)), mayPass: false };
  const known = REASONS[state];
  if (known !== undefined) return { reason: known, mayPass: TEMPORARY.test(state) };
  const ofConnection = findConnectionReason(connectionCodeOf(error));
  if (ofConnection) return ofConnection;
  if (state.startsWith("53")) {
    return {
      reason: "PostgreSQL has no connection, memory or room to spare. Look at max_connections and its disk",
      mayPass: true,
    };
  }
  if (isConnectionLost(error)) {
    return {
      reason: "PostgreSQL can't be reached. Check the host and port in the URL, and whether it runs",
      mayPass: true,
    };
  }
  if (TEMPORARY.test(state)) {
    return { reason: "PostgreSQL takes too long to answer. Look at its load and its locks", mayPass: true };
  }
  return undefined;
}

/** Finds the reason in a message of PgBouncer, which has one SQLSTATE for all of its refusals. */
function findPoolerReason(message: string): { readonly reason: string; readonly mayPass: boolean } {
  if (/query_wait_timeout|no more connections allowed/.test(message)) return { reason: POOL_EXHAUSTED, mayPass: true };
  return {
    reason: `a pooler in between refuses the connection (it says: ${message}). Look at its settings and its log`,
    mayPass: !/unsupported startup parameter/.test(message),
  };
}

function findConnectionReason(code: string): { readonly reason: string; readonly mayPass: boolean } | undefined {
  const known = CONNECTION_REASONS[code];
  if (known !== undefined) return { reason: known, mayPass: false };
  if (UNTRUSTED.test(code)) {
    return {
      reason:
        "nobody that is trusted here vouches for the certificate of PostgreSQL. Name its CA with sslrootcert in the URL",
      mayPass: false,
    };
  }
  if (!code.startsWith("CERT_")) return undefined;
  return {
    reason: "the certificate of PostgreSQL doesn't count now. Look at its dates and at the clock",
    mayPass: true,
  };
}

function reasonOfNames(state: string, message: string): string {
  if (state === "42501") {
    return `the user in the URL may not do that (PostgreSQL says: ${message}). Make it the owner of the database, or use the user whom the tables belong to`;
  }
  return `PostgreSQL refuses a statement (${state}: ${message}). Look whether something was changed in the database by hand`;
}
