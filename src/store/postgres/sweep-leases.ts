import type { Database, HeldConnection } from "./engine/database.ts";

/** The right to sweep, which one process has at a time. */
export interface SweepLease {
  /** Resolves whether this process has it, or gets it now. It is lost with the connection: another one takes over then. */
  hold(): Promise<boolean>;
  /** Gives it up. */
  end(): Promise<void>;
}

/** The number of the advisory lock of whoever sweeps. */
const LOCK = 4_237_002;

export function createSweepLease(database: Database): SweepLease {
  let held: HeldConnection | undefined;
  const end = async () => {
    using connection = held;
    held = undefined;
    // The connection may be lost, and the lock with it.
    await connection?.run("SELECT pg_advisory_unlock($1)", [LOCK]).catch(() => undefined);
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
        const [row] = await connection.run("SELECT pg_try_advisory_lock($1) AS locked", [LOCK]);
        if (row?.["locked"] === true) held = connection;
      } finally {
        if (held !== connection) connection[Symbol.dispose]();
      }
      return held !== undefined;
    },
    end,
  };
}
