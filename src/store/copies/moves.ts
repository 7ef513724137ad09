import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Operator } from "../../domain/ports/admin-log.ts";
import { connectTo } from "../postgres/engine/database.ts";
import type { Connection, ConnectionOptions } from "../postgres/engine/database.ts";
import { DatabaseError } from "../postgres/engine/errors.ts";
import { migrate } from "../postgres/engine/migrations.ts";
import { copyBeforeUpgrade } from "../sqlite/backups/upgrades.ts";
import { openDatabase } from "../sqlite/engine/database.ts";
import { DATABASE_FILE } from "../sqlite/files/data-folder.ts";
import { lockFolder } from "../sqlite/files/server-lock.ts";
import { copyIntoPostgres } from "./into-postgres.ts";
import { clearMoved, markMoved } from "./moved-mark.ts";

export interface MoveOptions {
  /** The data folder that everything is moved from. No server may run on it. */
  readonly folder: string;
  readonly connection: ConnectionOptions;
  /** The one who moves it, and the time, in epoch milliseconds. */
  readonly operator: Operator;
  readonly now: number;
}

/**
 * Moves everything from a data folder into an empty PostgreSQL database. From then on no server starts on the folder: what it would hand out could have
 * been handed out already. Returns the numbers of rows by table. Throws DatabaseError, and then the folder is as it was, unless the message says otherwise.
 */
export async function moveToPostgres(options: MoveOptions): Promise<ReadonlyMap<string, number>> {
  const { folder, connection, now } = options;
  const unlock = lockFolder(folder);
  try {
    const target = connectTo({ ...connection, max: 2 });
    try {
      await migrate(target, { mayCreate: true, mayUpgrade: true });
      using held = await target.hold();
      await begin(held);
      // One that did not come to its end has left the mark, and nothing else.
      clearMoved(join(folder, DATABASE_FILE));
      copyBeforeUpgrade(folder, now);
      return await moveAll(openDatabase(folder), held, options);
    } finally {
      await target.close();
    }
  } finally {
    unlock();
  }
}

/** Begins a transaction that nobody comes between. Throws DatabaseError when there is something in the database. */
async function begin(connection: Connection): Promise<void> {
  await connection.run("BEGIN");
  await connection.run("SET LOCAL statement_timeout = 0");
  await connection.run("SET LOCAL idle_in_transaction_session_timeout = 0");
  await connection.run("LOCK TABLE teams IN EXCLUSIVE MODE");
  const [row] = await connection.run("SELECT count(*)::int AS teams FROM teams");
  if (row?.["teams"] !== 0) {
    await connection.run("ROLLBACK");
    throw new DatabaseError(
      "the database already has teams of handoff in it, and nothing was changed. Everything is moved into an empty one",
    );
  }
}

async function moveAll(
  source: Database,
  target: Connection,
  { folder, operator, now }: MoveOptions,
): Promise<ReadonlyMap<string, number>> {
  const path = join(folder, DATABASE_FILE);
  let counts: ReadonlyMap<string, number>;
  try {
    counts = await copyIntoPostgres(source, target);
    await target.run(
      `INSERT INTO admin_log (at, "user", sudo_user, action, details) VALUES ($1::bigint, $2, $3, 'database.moved', '{}')`,
      [now, operator.user, operator.sudoUser],
    );
  } catch (error) {
    await target.run("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    source.close();
  }
  // Before the other one counts: never two that would hand out the same.
  markMoved(path);
  try {
    const { command } = await target.run("COMMIT");
    if (command !== "COMMIT") throw new Error("the server took the transaction back");
  } catch (error) {
    throw new DatabaseError(
      `whether everything has arrived in PostgreSQL is not known, and no server starts on '${folder}' until it is. Run the same command again: if it says that there are teams in the database, everything has arrived`,
      { cause: error },
    );
  }
  return counts;
}
