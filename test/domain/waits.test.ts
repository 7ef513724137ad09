import { expect, test } from "bun:test";
import { createWaits } from "../../src/domain/waits.ts";

test("a wait ends by time alone, without an event", async () => {
  const start = performance.now();
  const clock = { now: () => performance.now() };
  const waits = createWaits({ feed: { subscribe: () => () => undefined }, clock, maxPerCredential: 1 });
  let reads = 0;
  const value = await waits.until({
    topic: "a secret",
    credentialId: "a key",
    seconds: 20,
    signal: new AbortController().signal,
    read: async () => (reads++, performance.now() - start >= 100 ? "expired" : "available"),
    settled: (state) => state === "expired",
    changesAt: () => start + 100,
  });
  expect(value).toBe("expired");
  // It is woken by time, and doesn't poll.
  expect(reads).toBeLessThan(6);
  expect(performance.now() - start).toBeLessThan(10_000);
});
