import { SQL } from "bun";
import type { ReservedSQL } from "bun";
import { drizzle } from "drizzle-orm/bun-sql";
import type { DriverRow } from "./rows.ts";

/** The rows of an answer, with the tag of what was done. */
export type Answer = readonly DriverRow[] & { readonly command: string | null; readonly count: number | null };

/** Runs statements one after the other, on one connection; those that are not waited for go together. */
export interface Connection {
  run(text: string, params?: readonly unknown[]): Promise<Answer>;
  readonly orm: Orm;
}

/** A connection that is held, and goes back when it is disposed of. */
export interface HeldConnection extends Connection, Disposable {}

/** The connections to one database. */
export interface Database {
  /** Runs a statement on any of them. */
  read(text: string, params?: readonly unknown[]): Promise<Answer>;
  readonly orm: Orm;
  hold(): Promise<HeldConnection>;
  /** Hears of notifications on a channel; resolves what ends that. */
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export type Orm = ReturnType<typeof openOrm>;

function openOrm(client: SQL) {
  return drizzle({ client });
}

/** The options of the driver that say where the database is. */
export type ConnectionOptions = SQL.PostgresOrMySQLOptions;

/** Connects at the first statement. */
export function connectTo(options: ConnectionOptions): Database {
  const pool = new SQL({ ...options, adapter: "postgres" });
  return {
    read: (text, params) => send(pool, text, params),
    orm: openOrm(pool),
    async hold() {
      const reserved = await pool.reserve();
      return {
        run: (text, params) => send(reserved, text, params),
        orm: openOrm(reserved),
        [Symbol.dispose]() {
          void reserved.release();
        },
      };
    },
    async listen(channel, listener) {
      const { unlisten } = await pool.listen(channel, listener);
      return unlisten;
    },
    close: () => pool.close({ timeout: 5 }),
  };
}

async function send(client: SQL | ReservedSQL, text: string, params: readonly unknown[] = []): Promise<Answer> {
  return (await client.unsafe(text, [...params])) as Answer;
}
