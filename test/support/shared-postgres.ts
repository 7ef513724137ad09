import { SQL } from "bun";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";
import { startPostgres } from "./postgres.ts";
import type { PostgresCluster } from "./postgres.ts";

/** A PostgreSQL for tests that only need databases in it. */
export type SharedPostgres = Pick<PostgresCluster, "socket" | "makeDatabase"> & AsyncDisposable;

/** The server of this run, which other files use at the same time; one of its own for a file that is run alone. */
export async function sharedPostgres(): Promise<SharedPostgres> {
  const socket = process.env["TEST_POSTGRES"];
  return socket === undefined ? startPostgres({ fsync: "off" }) : joinPostgres(socket);
}

/** Joins the server at `socket`. What is disposed of is what was made through it. */
function joinPostgres(socket: string): SharedPostgres {
  const connection = { path: socket, username: "handoff" };
  const admin = new SQL({ ...connection, adapter: "postgres", database: "postgres", max: 1 });
  const made: ConnectionOptions[] = [];
  return {
    socket,
    async makeDatabase(template = "template1") {
      const database = `test_${crypto.randomUUID().replaceAll("-", "")}`;
      await admin.unsafe(`CREATE DATABASE ${database} TEMPLATE ${template}`);
      const options = { ...connection, database, max: 6 };
      made.push(options);
      return options;
    },
    async [Symbol.asyncDispose]() {
      for (const { database } of made) await admin.unsafe(`DROP DATABASE ${database} WITH (FORCE)`);
      await admin.close({ timeout: 0 });
    },
  };
}
