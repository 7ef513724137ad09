import { expect, test } from "bun:test";
import { createMonotonicClock } from "../../../../src/domain/values/clocks.ts";
import { startWriterThread } from "../../../../src/store/sqlite/assembly/writer-threads.ts";
import { DISK_STALLED } from "../../../../src/store/sqlite/engine/troubles.ts";
import { UNKNOWN_MEASURES } from "../../../../src/store/sqlite/files/storage-sizes.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

test("questions to a thread that waits for the disk are answered after two seconds", async () => {
  // It takes every message, and answers none.
  const silent = new Worker(URL.createObjectURL(new Blob(["addEventListener('message', () => undefined)"])));
  const thread = startWriterThread({
    settings: { folder: "/nonexistent", tombstoneSeconds: 1, ballastBytes: 0 },
    clock: createMonotonicClock(createTestClock()),
    isFailing: () => false,
    onEvent: () => undefined,
    onFailure: () => undefined,
    onAbandon: () => undefined,
    onEnd: () => undefined,
    startThread: () => silent,
  });
  expect(await Promise.all([thread.findTroubles(), thread.measure()])).toEqual([[DISK_STALLED], UNKNOWN_MEASURES]);
  silent.terminate();
}, 10_000);
