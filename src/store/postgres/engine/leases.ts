import type { Database, HeldConnection } from "./database.ts";

/** A lease: at most one process holds it at a time. */
export interface Lease {
  /**
   * Resolves true when this process holds the lease or gets it now. The lease is lost with its connection, or when this
   * isn't called again within its duration; another process can then take over.
   */
  hold(): Promise<boolean>;
  /** Releases the lease. */
  end(): Promise<void>;
}

/** The advisory locks of the process that sweeps, and of the one that calls webhooks. */
const LOCKS = { sweeps: 4_237_002, webhooks: 4_237_003 } as const;

/** The advisory lock that one server always holds while any server runs. */
export const SWEEPS_LOCK = LOCKS.sweeps;

/** The duration of a lease: longer than the work under it takes between two calls of `hold`. */
const LEASE_SECONDS = 30;

/**
 * Takes the lock if it is free. The idle timeout releases it when the process hangs or its machine is gone, which
 * closes no connection.
 */
const TRY = `SELECT locked, set_config('idle_session_timeout', CASE WHEN locked THEN $2 ELSE current_setting('idle_session_timeout') END, false)
  FROM (SELECT pg_try_advisory_lock($1) AS locked OFFSET 0) AS tried`;

export function createLease(database: Database, of: keyof typeof LOCKS, seconds = LEASE_SECONDS): Lease {
  let held: HeldConnection | undefined;
  const end = async () => {
    using connection = held;
    held = undefined;
    // The connection may be lost, and the lock with it.
    await connection?.run("SELECT pg_advisory_unlock($1)", [LOCKS[of]]).catch(() => undefined);
    await connection?.run("RESET idle_session_timeout").catch(() => undefined);
  };
  const isStillHeld = async (connection: HeldConnection) =>
    connection.run("SELECT 1").then(
      () => true,
      () => false,
    );
  return {
    async hold() {
      if (held && (await isStillHeld(held))) return true;
      await end();
      const connection = await database.hold();
      try {
        const [row] = await connection.run(TRY, [LOCKS[of], `${seconds}s`]);
        if (row?.["locked"] === true) held = connection;
      } finally {
        if (held !== connection) connection[Symbol.dispose]();
      }
      return held !== undefined;
    },
    end,
  };
}
