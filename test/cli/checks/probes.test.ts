import { expect, test } from "bun:test";
import { probe } from "../../../src/cli/checks/probes.ts";

test("an endless answer is dropped after 64 KiB, and counts as no JSON", async () => {
  const piece = new Uint8Array(16 * 1024).fill(0x20);
  let sent = 0;
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += piece.length;
            controller.enqueue(piece);
          },
        }),
      ),
  });
  expect(await probe(server.url.href)).toEqual({ status: 200, json: undefined });
  // Buffers between the two hold more than was read.
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});
