import { DatabaseError, isConnectionLost, sqlStateOf } from "./errors.ts";

/** The reason why a database can't be opened. */
export interface OpeningRefusal {
  /** For the admin: what is wrong, and what to do. */
  readonly error: DatabaseError;
  /** True when trying again may help. */
  readonly mayPass: boolean;
}

/** The reasons for the admin, by SQLSTATE. */
const REASONS: Readonly<Record<string, string>> = {
  "28P01": "PostgreSQL doesn't take the password. Check it in the URL",
  "28000": "PostgreSQL doesn't let this user in from here. Check user and sslmode in the URL, and pg_hba.conf",
  "3D000": "there is no database of this name in PostgreSQL. Make it with: createdb",
  "42501": "the user in the URL may not make tables there. Make it the owner of the database",
  "25006":
    "the database can only be read: it is a replica, or set to be read-only. Name the primary in the URL, or promote this one",
};

/** The SQLSTATEs that pass: too many connections, starting up, shutting down, a replica that is promoted soon. */
const PASSING = /^(08|53|57P|25006|40|55P03)/;

/** Finds why a database could not be opened. Returns undefined for an error that says nothing about it. */
export function findRefusal(error: unknown): OpeningRefusal | undefined {
  if (error instanceof DatabaseError) return { error, mayPass: false };
  const state = sqlStateOf(error);
  const known = REASONS[state];
  if (known !== undefined) return { error: new DatabaseError(known, { cause: error }), mayPass: PASSING.test(state) };
  if (state.startsWith("53")) {
    const reason = "PostgreSQL has no connection, memory or room to spare. Look at max_connections and its disk";
    return { error: new DatabaseError(reason, { cause: error }), mayPass: true };
  }
  if (isConnectionLost(error)) {
    const reason = "PostgreSQL can't be reached. Check the host and port in the URL, and whether it runs";
    return { error: new DatabaseError(reason, { cause: error }), mayPass: true };
  }
  return undefined;
}
