import { expect } from "bun:test";
import { createMonotonicClock } from "../../src/domain/clocks.ts";
import { createIds } from "../../src/domain/ids.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import { systemRandom } from "../../src/domain/random.ts";
import type { StoreOptions } from "../../src/store/sqlite/assembly/options.ts";
import { ROW_BYTES } from "../../src/store/sqlite/stored-bytes.ts";
import { checkpoint, filesWith, inDatabase, recountStoredBytes } from "./secrets.ts";
import { createTestClock } from "./service.ts";
import { OPERATOR, TOMBSTONE_MS } from "./stores.ts";
import type { Kept, StoreUnderTest } from "./stores.ts";
import { temporaryFolder } from "./temporary.ts";

/** Opens an empty store in a folder of its own. */
export function openSqlite(openWith: (options: StoreOptions) => Store): StoreUnderTest {
  const folder = temporaryFolder();
  const time = createTestClock();
  const open = () => {
    const clock = createMonotonicClock(time);
    const ids = createIds(clock, systemRandom);
    const tombstoneSeconds = TOMBSTONE_MS / 1000;
    const settings = { folder: folder.path, tombstoneSeconds, ballastBytes: 0, operator: OPERATOR };
    return { clock, ids, store: openWith({ ...settings, clock, ids }) };
  };
  let current = open();
  return {
    time,
    get store() {
      return current.store;
    },
    get clock() {
      return current.clock;
    },
    get ids() {
      return current.ids;
    },
    eventBytes: ROW_BYTES.event,
    look: async () => look(folder.path),
    async holds(text) {
      checkpoint(folder.path);
      const files = filesWith(folder.path, text);
      expect(["handoff.db", undefined]).toContain(files[0]);
      return files.length > 0;
    },
    async reopen() {
      await current.store.close();
      current = open();
    },
    async [Symbol.asyncDispose]() {
      await current.store.close();
      folder[Symbol.dispose]();
    },
  };
}

/** What the database in `folder` has, read through a connection of its own, as the admin command would. */
function look(folder: string): Kept {
  const query = <T>(sql: string) => inDatabase(folder, (database) => database.query<T, []>(sql).all());
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
