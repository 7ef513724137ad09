import { openPostgresStorage } from "./postgres-storage.ts";
import { openSqliteStorage } from "./sqlite-storage.ts";
import type { TestStorage } from "./storages.ts";

/** The socket of the PostgreSQL that the tests of this run keep everything in; in SQLite when there is none. */
const SOCKET = process.env["TEST_POSTGRES"];

/** Opens an empty storage of the engine that this run of the tests is for. */
export async function openStorage(): Promise<TestStorage> {
  return SOCKET === undefined ? openSqliteStorage() : openPostgresStorage(SOCKET);
}
