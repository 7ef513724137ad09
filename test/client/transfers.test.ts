import { expect, test } from "bun:test";
import { readBody } from "../../src/client/transfers.ts";

const HALF = "x".repeat(100_000);

/** An answer of two pieces. */
function answer(): Response {
  const body = new ReadableStream({
    start(controller) {
      for (let n = 0; n < 2; n++) controller.enqueue(new TextEncoder().encode(HALF));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-length": String(2 * HALF.length) } });
}

test("progress of a large answer is reported after every piece, with the total", async () => {
  const told: unknown[] = [];
  const onBytes = (bytes: number) => void told.push(bytes);
  const text = await readBody(answer(), 1_000_000, { onBytes, onProgress: (...args) => void told.push(args) });
  expect(text).toBe(HALF + HALF);
  expect(told).toEqual([100_000, ["down", 100_000, 200_000], 200_000, ["down", 200_000, 200_000]]);
});

test("reading stops above the limit", async () => {
  const told: number[] = [];
  const onBytes = (bytes: number) => void told.push(bytes);
  expect(await readBody(answer(), 150_000, { onBytes, onProgress: undefined })).toBeUndefined();
  expect(told).toEqual([100_000]);
});
