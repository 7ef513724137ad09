import { createMonotonicClock } from "../../../src/domain/clocks.ts";
import { createIds } from "../../../src/domain/ids.ts";
import { systemRandom } from "../../../src/domain/service.ts";
import { openStore } from "../../../src/store/sqlite/store.ts";
import { createTestClock } from "../../support/service.ts";
import { TOMBSTONE_MS } from "../../support/stores.ts";
import type { StoreUnderTest } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { describeStore } from "../promises.ts";

describeStore("SQLite", openSqlite);

function openSqlite(): StoreUnderTest {
  const folder = temporaryFolder();
  const time = createTestClock();
  const open = () => {
    const clock = createMonotonicClock(time);
    const ids = createIds(clock, systemRandom);
    const tombstoneSeconds = TOMBSTONE_MS / 1000;
    return { clock, ids, store: openStore({ folder: folder.path, clock, ids, tombstoneSeconds, ballastBytes: 0 }) };
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
