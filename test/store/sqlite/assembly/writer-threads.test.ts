import { expect, test } from "bun:test";
import { peek } from "bun";
import { createMonotonicClock } from "../../../../src/domain/values/clocks.ts";
import { startWriterThread } from "../../../../src/store/sqlite/assembly/writer-threads.ts";
import { DISK_STALLED } from "../../../../src/store/sqlite/engine/troubles.ts";
import { UNKNOWN_MEASURES } from "../../../../src/store/sqlite/files/storage-sizes.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

/** A thread that takes every message, and answers none. */
function startSilentThread({ isFailing }: { readonly isFailing: boolean }) {
  const silent = new Worker(URL.createObjectURL(new Blob(["addEventListener('message', () => undefined)"])));
  const thread = startWriterThread({
    settings: { folder: "/nonexistent", tombstoneSeconds: 1, ballastBytes: 0 },
    clock: createMonotonicClock(createTestClock()),
    isFailing: () => isFailing,
    onCommits: () => undefined,
    onEvent: () => undefined,
    onFailure: () => undefined,
    onAbandon: () => undefined,
    onEnd: () => undefined,
    startThread: () => silent,
  });
  return { thread, [Symbol.dispose]: () => silent.terminate() };
}

test("questions to a thread that waits for the disk are answered after two seconds", async () => {
  using silent = startSilentThread({ isFailing: false });
  const { thread } = silent;
  expect(await Promise.all([thread.findTroubles(), thread.measure()])).toEqual([[DISK_STALLED], UNKNOWN_MEASURES]);
}, 10_000);

test("while nothing can be read, creations are refused at once, and other operations go to the thread", async () => {
  using silent = startSilentThread({ isFailing: true });
  const run = silent.thread.operations.add({
    make: { kind: "creation", run: (_tx: never, id: string) => id },
    end: { kind: "essential", run: (_tx: never, id: string) => id },
  });
  expect(await run("make", "a").catch((error: unknown) => error)).toMatchObject({ code: "storage_unavailable" });
  // It is refused once the thread has ended.
  const ending = run("end", "a").catch(() => undefined);
  expect(peek.status(ending)).toBe("pending");
});
