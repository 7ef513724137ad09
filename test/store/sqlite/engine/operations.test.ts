import { expect, test } from "bun:test";
import type { EventRecord } from "../../../../src/domain/ports/events.ts";
import { createEffects } from "../../../../src/store/sqlite/engine/effects.ts";
import type { Effects } from "../../../../src/store/sqlite/engine/effects.ts";
import { createOperations } from "../../../../src/store/sqlite/engine/operations.ts";
import type { Writer } from "../../../../src/store/sqlite/engine/writer.ts";

const EVENT: EventRecord = {
  id: "evt_1",
  teamId: "tea_1",
  type: "secret.created",
  createdAt: 1,
  secretId: "sec_1",
  requestId: null,
  actorId: null,
  reference: null,
  address: null,
  ask: null,
  proof: null,
  network: null,
};

/** Opens a transaction that logs its effects, and a writer that runs every operation in it at once. */
function openParts() {
  const log: string[] = [];
  const note = (what: string) => () => void log.push(what);
  const storedBytes = {
    of: () => ({ storedBytes: 0, quotaBytes: null }),
    fits: () => true,
    charge: (teamId: string, bytes: number) => void log.push(`charge ${teamId} ${bytes}`),
    mark: () => note("uncount"),
    save: note("save bytes"),
    clear: note("clear bytes"),
  };
  const { effects, hooks } = createEffects({
    storedBytes,
    catchUp: note("catch up"),
    saveTime: note("save time"),
    announce: ({ id }) => void log.push(`announce ${id}`),
    truncateWalSoon: note("truncate"),
  });
  const writer: Writer = {
    async write(kind, operation, bytes = 0) {
      log.push(`${kind} ${bytes}`);
      return operation();
    },
    isHeldUp: () => false,
    isInDoubt: () => false,
    count: () => ({ transactions: 0, writes: 0, batches: [] }),
    close: async () => undefined,
  };
  return { log, effects, hooks, operations: createOperations(writer, effects, note("may change keys")) };
}

test("an operation is run by its name with its input, in the transaction", async () => {
  const { log, effects, operations } = openParts();
  const run = operations.add({
    double: { kind: "essential", run: (given: Effects, n: number) => (given === effects ? 2 * n : NaN) },
    keep: { kind: "creation", bytes: (text: string) => text.length, run: (_effects: Effects, text: string) => text },
  });
  expect([await run("double", 4), await run("keep", "text")]).toEqual([8, "text"]);
  expect(log).toEqual(["essential 0", "may change keys", "creation 4", "may change keys"]);
});

test("only an operation that says so keeps the keys as they are", async () => {
  const { log, operations } = openParts();
  const act = { kind: "essential", run: () => log.push("done") } as const;
  const run = operations.add({ change: act, act: { ...act, keepsKeys: true } });
  await run("change", undefined);
  await run("act", undefined);
  expect(log).toEqual(["essential 0", "may change keys", "done", "essential 0", "done"]);
});

test("an operation does nothing when its caller is gone before it begins", async () => {
  const { log, operations } = openParts();
  const run = operations.add({ act: { kind: "essential", run: () => log.push("done") } });
  expect(await run("act", undefined, AbortSignal.abort())).toBe("abandoned");
  expect(log).toEqual(["essential 0"]);
});

test("two operations cannot have one name", () => {
  const { operations } = openParts();
  const table = { act: { kind: "essential", run: () => 1 } } as const;
  operations.add(table);
  expect(() => operations.add(table)).toThrow("there is an operation act already");
});

test("the effects of operations happen after the COMMIT, except those of operations that were undone", () => {
  const { log, effects, hooks } = openParts();
  effects.tell(EVENT);
  const takeBack = hooks.beforeOperation();
  effects.tell({ ...EVENT, id: "evt_2" });
  takeBack();
  effects.truncateWal();
  hooks.beforeCommit();
  expect(log).toEqual(["uncount", "save bytes", "save time"]);
  hooks.afterCommit();
  expect(log.splice(0)).toEqual(["uncount", "save bytes", "save time", "truncate", "announce evt_1"]);
  hooks.afterCommit();
  expect(log).toEqual([]);
});

test("a rolled-back transaction announces no event, and the WAL is truncated", () => {
  const { log, effects, hooks } = openParts();
  effects.tell(EVENT);
  hooks.afterRollback();
  expect(log.splice(0)).toEqual(["clear bytes", "truncate"]);
  hooks.afterCommit();
  expect(log).toEqual([]);
});
