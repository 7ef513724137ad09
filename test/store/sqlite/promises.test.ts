import { createMonotonicClock } from "../../../src/domain/clocks.ts";
import { createIds } from "../../../src/domain/ids.ts";
import type { Store } from "../../../src/domain/ports/store.ts";
import { systemRandom } from "../../../src/domain/random.ts";
import type { StoreOptions } from "../../../src/store/sqlite/assembly/options.ts";
import { openStore } from "../../../src/store/sqlite/store.ts";
import { openThreadedStore } from "../../../src/store/sqlite/threads/threaded-store.ts";
import { createTestClock } from "../../support/service.ts";
import { TOMBSTONE_MS } from "../../support/stores.ts";
import type { StoreUnderTest } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { describeStore } from "../promises.ts";

describeStore("SQLite", () => openSqlite(openStore));
describeStore("SQLite with a thread for its writer", () =>
  openSqlite((options) =>
    openThreadedStore({
      ...options,
      onEnd(error) {
        throw error;
      },
    }),
  ),
);

function openSqlite(openWith: (options: StoreOptions) => Store): StoreUnderTest {
  const folder = temporaryFolder();
  const time = createTestClock();
  const open = () => {
    const clock = createMonotonicClock(time);
    const ids = createIds(clock, systemRandom);
    const tombstoneSeconds = TOMBSTONE_MS / 1000;
    return { clock, ids, store: openWith({ folder: folder.path, clock, ids, tombstoneSeconds, ballastBytes: 0 }) };
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
