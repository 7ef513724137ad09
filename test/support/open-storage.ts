import { openStore } from "../../src/store/sqlite/assembly/store.ts";
import { openPostgresStorage } from "./postgres-storage.ts";
import { openSqliteStorage } from "./sqlite-storage.ts";
import type { TestStorage } from "./storages.ts";

/** The socket of the PostgreSQL of this run; undefined when there is none. */
const SOCKET = process.env["TEST_POSTGRES"];
const KEEPS_IN_POSTGRES = process.env["TEST_ENGINE"] === "postgres";

const isPostgres = KEEPS_IN_POSTGRES && SOCKET !== undefined;

/** Opens an empty storage of the engine that this run of the tests is for. */
export async function openStorage(): Promise<TestStorage> {
  return isPostgres ? openPostgresStorage(SOCKET) : openSqliteStorage();
}

/** Opens an empty storage as admin commands do: over SQLite, everything is written in the thread of the test. */
export async function openAdminStorage(): Promise<TestStorage> {
  return isPostgres ? openPostgresStorage(SOCKET) : openSqliteStorage({}, openStore);
}
