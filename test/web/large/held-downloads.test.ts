import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createHttpClient } from "../../../src/client/http-client.ts";
import { LINK_WORK_FACTOR } from "../../../src/crypto/envelopes.ts";
import { sealStream } from "../../../src/crypto/sealed-streams.ts";
import { holdDownload } from "../../../src/web/large/held-downloads.ts";
import { bytesOf, streamOf } from "../../support/byte-streams.ts";

const MINUTE = 60_000;
const CONTENT = crypto.getRandomValues(new Uint8Array(50_000));
const KEY = { passphrase: "passphrase" };
const FILE = await bytesOf((await sealStream(streamOf(CONTENT), KEY.passphrase, LINK_WORK_FACTOR)).ciphertext);

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Resolves once `isSo` holds, which real work outside of timers leads to. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Promise.resolve();
}

/** Holds a download from a server that has the whole file, and notes each call. */
function hold() {
  const calls: (string | null)[] = [];
  const received: number[] = [];
  const renewed: number[] = [];
  const client = createHttpClient({
    baseUrl: "https://handoff.example",
    credential: "token",
    async fetch(_, init) {
      init?.signal?.throwIfAborted();
      const asked = new Headers(init?.headers);
      calls.push(asked.get("idempotency-key"));
      const at = Number(/\d+/.exec(asked.get("range") ?? "")?.[0] ?? 0);
      return new Response(streamOf(FILE.slice(at)), {
        status: at === 0 ? 200 : 206,
        headers: { etag: '"1"', "content-range": `bytes ${at}-${FILE.length - 1}/${FILE.length}` },
      });
    },
  });
  const source = {
    baseUrl: client.baseUrl,
    claimToken: "token",
    id: "sec_a",
    idempotencyKey: "key",
    bytes: FILE.length,
  };
  const download = holdDownload(client, source, {
    onReceived: (bytes) => void received.push(bytes),
    onRenewed: (at) => void renewed.push(at),
  });
  return { download, calls, received, renewed };
}

test("while nobody has the key, the claim stays repeatable; then the rest is read, and nothing more asked", async () => {
  const { download, calls, received, renewed } = hold();
  const header = await download.header;
  expect(calls).toEqual(["key"]);
  for (let count = 2; count <= 4; count++) {
    jest.advanceTimersByTime(2 * MINUTE);
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await until(() => renewed.length === count);
  }
  expect(calls).toEqual(["key", "key", "key", "key"]);
  expect(received).toEqual([]);
  const plaintext = await header.unlock(KEY);
  download.goOn();
  expect(await bytesOf(plaintext)).toEqual(CONTENT);
  expect(received.at(-1)).toBe(FILE.length);
  const asked = calls.length;
  jest.advanceTimersByTime(10 * MINUTE);
  expect(calls).toHaveLength(asked);
});

test("a download that is stopped ends, also for who waits for its header, and asks for nothing more", async () => {
  const { download, calls } = hold();
  const plaintext = await (await download.header).unlock(KEY);
  download.stop();
  jest.advanceTimersByTime(10 * MINUTE);
  const { code } = await bytesOf(plaintext).then(
    () => ({ code: "none" }),
    (error: { readonly code: string }) => error,
  );
  expect(code).toBe("interrupted");
  expect(calls).toEqual(["key"]);
});
