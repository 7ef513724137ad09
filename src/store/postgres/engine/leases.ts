import type { Database, HeldConnection } from "./database.ts";

/** The right to do something that one process does at a time. */
export interface Lease {
  /**
   * Resolves whether this process has it, or gets it now. It is lost with the connection, and when this is not called for the time of the
   * lease: another one takes over then.
   */
  hold(): Promise<boolean>;
  /** Gives it up. */
  end(): Promise<void>;
}

/** The numbers of the advisory locks of those who sweep, and who call webhooks. */
const LOCKS = { sweeps: 4_237_002, webhooks: 4_237_003 } as const;

/** The number of the one that some server always has while any runs. */
export const SWEEPS_LOCK = LOCKS.sweeps;

/** The time of a lease: longer than what is done under it takes, from one look to the next. */
const LEASE_SECONDS = 30;

/** Takes the lock, if nobody has it, for as long as there are questions: a process that hangs, or whose machine has gone, closes no connection. */
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
