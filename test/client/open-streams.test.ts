import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { openStream } from "../../src/client/streams.ts";
import { errorOf } from "../support/clients.ts";

const GRACE_MS = 1000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Opens a stream to which the test writes; it breaks when the client gives the call up. */
async function openWritten() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const fetch = async (_url: string, init: RequestInit = {}) => {
    init.signal?.addEventListener("abort", () => void writer.abort(new Error("given up")));
    return new Response(readable, { headers: { "content-type": "text/event-stream" } });
  };
  const patience = { graceMs: GRACE_MS, bytesPerMs: 16 };
  const parts = await openStream({ url: "http://a.test/", baseUrl: "http://a.test", headers: {}, fetch, patience });
  if (!parts) throw new Error("the answer is no stream");
  const write = (number: number) => void writer.write(Buffer.from(`id: ${number}\ndata: x\n\n`)).catch(() => undefined);
  return { parts, write };
}

test("a stream without a byte for too long ends as one that timed out", async () => {
  const { parts, write } = await openWritten();
  write(1);
  expect((await parts.next()).value).toMatchObject({ id: "1" });
  const next = errorOf(parts.next());
  // Until the stream waits for the next byte.
  for (let turns = 0; turns < 20; turns++) await Promise.resolve();
  jest.advanceTimersByTime(GRACE_MS);
  expect(await next).toMatchObject({ code: "timed_out" });
});

test("the time that the reader takes with a part does not count", async () => {
  const { parts, write } = await openWritten();
  write(1);
  await parts.next();
  jest.advanceTimersByTime(10 * GRACE_MS);
  write(2);
  expect((await parts.next()).value).toMatchObject({ id: "2" });
});
