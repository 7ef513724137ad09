import { createMonotonicClock } from "../../../src/domain/values/clocks.ts";
import type { MonotonicClock } from "../../../src/domain/values/clocks.ts";
import { createIds } from "../../../src/domain/values/ids.ts";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { openStore } from "../../../src/store/sqlite/assembly/store.ts";
import type { WorkingStore } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { createTestClock } from "../../support/test-clocks.ts";
import { describeLateChanges } from "../conformance/late-changes.ts";
import type { TwoProcesses } from "../conformance/late-changes.ts";

async function openBoth(): Promise<TwoProcesses> {
  const folder = temporaryFolder();
  const open = (clock: MonotonicClock): WorkingStore => {
    const ids = createIds(clock, systemRandom);
    return { clock, ids, store: openStore({ folder: folder.path, clock, ids, tombstoneSeconds: 60, ballastBytes: 0 }) };
  };
  const [time, clock] = [createTestClock(), createMonotonicClock(createTestClock())];
  let atNextRead = () => {};
  const one = open({
    raise: clock.raise,
    now() {
      atNextRead();
      return clock.now();
    },
  });
  const ahead = open(createMonotonicClock(time));
  return {
    one,
    ahead,
    setAhead: (epochMs) => time.jump(epochMs - time.now()),
    async during<T>(change: () => Promise<unknown>, report: () => Promise<T>) {
      const changed = change();
      const reported = new Promise<T>((resolve) => {
        // The transaction reads its clock after it has begun. Reads of another connection don't see what it does.
        atNextRead = () => {
          atNextRead = () => {};
          resolve(report());
        };
      });
      await changed;
      return reported;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([one.store.close(), ahead.store.close()]);
      folder[Symbol.dispose]();
    },
  };
}

describeLateChanges(openBoth);
