import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { join } from "node:path";
import type { LargeStorage } from "../../src/domain/ports/uploads.ts";
import { openFolderBlobs } from "../../src/store/blobs/folder-blobs.ts";
import { inspectLog } from "../../src/store/copies/inspections.ts";
import type { StoreOptions } from "../../src/store/sqlite/assembly/options.ts";
import type { SqliteStore } from "../../src/store/sqlite/assembly/parts.ts";
import { openThreadedStore } from "../../src/store/sqlite/assembly/threaded-store.ts";
import { ROW_BYTES } from "../../src/store/sqlite/stored-bytes.ts";
import { until } from "./polls.ts";
import { checkpoint, filesWith, inDatabase, recountStoredBytes } from "./sqlite-files.ts";
import type { Kept, TestStorage, WriteLock } from "./storages.ts";
import { temporaryFolder } from "./temporary.ts";
import { startWriterThread } from "./writer-threads.ts";

/** A storage in a data folder. */
export interface SqliteStorage extends TestStorage {
  readonly folder: string;
  readonly large: () => LargeStorage;
}

/** Opens the store of a server, whose writer has a thread of its own. A test fails when that thread ends by itself. */
async function openServing(options: StoreOptions): Promise<SqliteStore> {
  const serving = openThreadedStore({
    ...options,
    startThread: startWriterThread,
    onEnd(error) {
      throw error;
    },
  });
  // A server writes before it listens, so that the thread is up by then.
  await serving.measureStorage();
  return serving;
}

/** Makes an empty folder, over which `openWith` opens a store, with `options` of SQLite's own. */
export function openSqliteStorage(
  options: Partial<StoreOptions> = {},
  openWith: (options: StoreOptions) => SqliteStore | Promise<SqliteStore> = openServing,
): SqliteStorage {
  const folder = temporaryFolder();
  let store: SqliteStore | undefined;
  return {
    folder: folder.path,
    env: { HANDOFF_DATA_DIR: folder.path },
    eventBytes: ROW_BYTES.event,
    async open(sources) {
      store = await openWith({ ...sources, folder: folder.path, ballastBytes: 0, ...options });
      return store;
    },
    large() {
      if (!store) throw new Error("no store is open");
      return { uploads: store, blobs: openFolderBlobs(join(folder.path, "blobs"), 0) };
    },
    run: async (sql) => rowsOf(folder.path, sql),
    checkLog: (hash) => inspectLog(join(folder.path, "handoff.db"), hash),
    look: async () => look(folder.path),
    async holds(text) {
      checkpoint(folder.path);
      const files = filesWith(folder.path, text);
      expect(["handoff.db", undefined]).toContain(files[0]);
      return files.length > 0;
    },
    lockWrites: async () => lockWrites(folder.path, async () => store?.findTroubles()),
    addEvents: async (teamId, count) =>
      inDatabase(folder.path, (database) => void database.run(EVENTS, [count, teamId])),
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}

const EVENTS = `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
  INSERT INTO events (id, team_id, type, created_at) SELECT 'evt_' || printf('%026d', i), ?, 'request.paused', 0 FROM n`;

const rowsOf = <T>(folder: string, sql: string) => inDatabase(folder, (database) => database.query<T, []>(sql).all());

/** What the database in `folder` has, read through a connection of its own, as the admin command would. */
function look(folder: string): Kept {
  const query = <T>(sql: string) => rowsOf<T>(folder, sql);
  const ciphertexts = query<{ id: string; bytes: number }>(
    "SELECT id, length(ciphertext) AS bytes FROM ciphertexts JOIN secrets ON seq = secret_seq ORDER BY id",
  );
  const notes = query<{ id: string }>("SELECT id FROM request_notes JOIN requests ON seq = request_seq ORDER BY id");
  const [counted] = query<{ bytes: number }>("SELECT coalesce(sum(stored_bytes), 0) AS bytes FROM teams");
  const [clock] = query<{ at: number }>("SELECT latest_at AS at FROM clocks");
  return {
    ciphertexts: new Map(ciphertexts.map(({ id, bytes }) => [id, bytes])),
    notes: notes.map(({ id }) => id),
    storedBytes: counted?.bytes ?? NaN,
    recountedBytes: recountStoredBytes(folder),
    latestAt: clock?.at ?? 0,
  };
}

function lockWrites(folder: string, findTroubles: () => Promise<readonly unknown[] | undefined>): WriteLock {
  const holder = new Database(join(folder, "handoff.db"));
  holder.run("BEGIN IMMEDIATE");
  return {
    async waitedFor() {
      await until(async () => ((await findTroubles()) ?? []).length > 0);
    },
    async [Symbol.asyncDispose]() {
      holder.run("ROLLBACK");
      holder.close();
    },
  };
}
