import { expect, test } from "bun:test";
import { ClientError } from "../../../src/client/errors.ts";
import { createHttpClient } from "../../../src/client/http-client.ts";
import type { HttpClientOptions } from "../../../src/client/http-client.ts";
import { claimLargeSecret } from "../../../src/client/large/claims.ts";
import { downloadCiphertext } from "../../../src/client/large/downloads.ts";
import { sendLargeSecret, toLargeContent } from "../../../src/client/large/sends.ts";
import type { LargeSendOptions } from "../../../src/client/large/sends.ts";
import { acknowledgeClaim, claimSecret, getSecret, listSecrets } from "../../../src/client/secrets.ts";
import { decodeContent } from "../../../src/crypto/contents.ts";
import { hintOf } from "../../../src/crypto/link-hints.ts";
import { openHeader } from "../../../src/crypto/sealed-streams.ts";
import { deriveSecretLinkKeys, parseSecretLink } from "../../../src/crypto/secret-links.ts";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { bytesOf, streamOf } from "../../support/byte-streams.ts";
import { errorOf } from "../../support/clients.ts";
import { startCuttingProxy } from "../../support/cutting-proxies.ts";
import { startTestServer } from "../../support/server.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";
import { createTestClock } from "../../support/test-clocks.ts";
import { callTus } from "../../support/tus-calls.ts";

const MIB = 1024 * 1024;
const MINUTES = 60_000;
const TERMS = { ttlSeconds: undefined, maxClaims: undefined, passphrase: undefined };
const noKeep = () => Promise.reject(new Error("its length is known"));

/** The real app over a data folder, behind a proxy that loses connections, and a client that waits for nothing. */
async function setUp(policy: Partial<ServerPolicy> = {}) {
  const server = await startTestServer({ policy, storage: openSqliteStorage() });
  const proxy = await startCuttingProxy(server.url);
  const { token } = await server.backend.mint();
  const pauses: number[] = [];
  const connect = (credential: string, options: Partial<HttpClientOptions> = {}) =>
    createHttpClient({
      baseUrl: proxy.url,
      credential,
      sleep: async (ms) => void pauses.push(ms),
      ...options,
    });
  const client = connect(token);
  const send = async (bytes: Uint8Array, options: Partial<LargeSendOptions> = {}) => {
    const content = await toLargeContent({ kind: "binary", bytes });
    if (!content) throw new Error("it begins like an archive");
    return sendLargeSecret(client, { ...TERMS, content, keep: noKeep, ...options });
  };
  const claim = async (link: string, options: Partial<HttpClientOptions> = {}) => {
    const { id, seed } = parseSecretLink(link);
    const { claimToken, agePassphrase } = await deriveSecretLinkKeys(seed);
    const ofLink = connect(claimToken, { isOfLink: true, ...options });
    const { bytes } = await claimLargeSecret(ofLink, id, "key");
    const open = async (onProgress?: (direction: string, bytes: number) => void) => {
      const ciphertext = downloadCiphertext(ofLink, { id, idempotencyKey: "key", bytes, onProgress });
      return bytesOf(await (await openHeader(ciphertext)).unlock({ passphrase: agePassphrase }));
    };
    return { client: ofLink, id, bytes, open };
  };
  return {
    server,
    proxy,
    client,
    pauses,
    connect,
    send,
    claim,
    token,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const randomBytes = (bytes: number) => {
  const all = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(all.subarray(at, at + 65_536));
  return all;
};

test("connections that are lost anywhere cost no byte on the way up and down", async () => {
  await using place = await setUp();
  const { proxy } = place;
  const content = randomBytes(20 * MIB);
  // In the middle of pieces, before anything, and instead of the answer to a whole piece.
  proxy.lose({ afterUp: 3 * MIB }, { afterUp: 10 * MIB }, { afterUp: 1 }, { answerAfterUp: 5 * MIB });
  const sent: number[] = [];
  const { link, secret } = await place.send(content, { onProgress: (_, bytes) => void sent.push(bytes) });
  expect(proxy.lost()).toBeGreaterThanOrEqual(4);
  expect(secret).toMatchObject({ state: "available", envelope_version: 2 });
  expect(sent.toSorted((a, b) => a - b)).toEqual(sent);
  expect(sent.at(-1)).toBe(secret.ciphertext_bytes);

  const claimed = await place.claim(link);
  expect(claimed.bytes).toBe(secret.ciphertext_bytes);
  const before = proxy.lost();
  proxy.lose({ afterDown: 1 }, { afterDown: 3 * MIB }, { afterDown: MIB });
  const received: number[] = [];
  expect(Buffer.compare(await claimed.open((_, bytes) => received.push(bytes)), content)).toBe(0);
  expect(proxy.lost() - before).toBeGreaterThanOrEqual(3);
  expect(received.at(-1)).toBe(claimed.bytes);
  expect(received.toSorted((a, b) => a - b)).toEqual(received);
  // The whole of it can be had again until it is acknowledged.
  expect(Buffer.compare(await claimed.open(), content)).toBe(0);
  await acknowledgeClaim(claimed.client, claimed.id, "key");
  expect(await errorOf(claimed.open())).toMatchObject({ code: "secret_claimed", kind: "gone" });
}, 60_000);

test("a server that stays away is given up after more than ten minutes, and the pauses grow", async () => {
  await using place = await setUp();
  const { proxy, pauses } = place;
  const onProgress = () => void proxy.setAway(true);
  const error = await errorOf(place.send(randomBytes(9 * MIB), { onProgress }));
  expect(error).toMatchObject({ kind: "network" });
  const total = pauses.reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThan(10 * MINUTES);
  expect(total).toBeLessThan(13 * MINUTES);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.at(-1)).toBe(30_000);
});

test("a client that perseveres for a day waits for so long", async () => {
  await using place = await setUp();
  const { proxy, pauses } = place;
  const day = 24 * 60 * MINUTES;
  const content = await toLargeContent({ kind: "text", text: "text" });
  if (!content) throw new Error("it begins like an archive");
  const onProgress = () => void proxy.setAway(true);
  const client = place.connect(place.token, { perseveranceMs: day });
  const sending = sendLargeSecret(client, { ...TERMS, content, keep: noKeep, onProgress });
  expect(await errorOf(sending)).toMatchObject({ kind: "network" });
  expect(pauses.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(day - MINUTES);
}, 60_000);

test("a text that begins like an archive, and text with files, are sent in pieces too", async () => {
  await using place = await setUp();
  const tar = `${"a".repeat(257)}ustar\0`;
  const files = [{ name: "a.txt", bytes: randomBytes(1000), isExecutable: false, isFolder: false }];
  for (const sent of [
    { kind: "text", text: tar },
    { kind: "both", text: "read me", files },
  ] as const) {
    const content = await toLargeContent(sent);
    if (!content) throw new Error("it can't be sent");
    const { link } = await sendLargeSecret(place.client, { ...TERMS, content, keep: noKeep });
    expect(parseSecretLink(link).hint).toEqual(hintOf(sent));
    expect(await decodeContent(await (await place.claim(link)).open())).toEqual(sent);
  }
});

test("a server that comes back is gone on with, however often", async () => {
  await using place = await setUp();
  const { proxy, pauses } = place;
  let pauseCount = 0;
  const client = place.connect(place.token, {
    async sleep(ms) {
      pauses.push(ms);
      if (++pauseCount % 5 === 0) proxy.setAway(false);
    },
  });
  const content = await toLargeContent({ kind: "binary", bytes: randomBytes(40 * MIB) });
  if (!content) throw new Error("it begins like an archive");
  proxy.lose({ afterUp: 2 * MIB }, { afterUp: 9 * MIB }, { afterUp: 9 * MIB }, { afterUp: 9 * MIB });
  const onProgress = () => void proxy.setAway(true);
  const { secret } = await sendLargeSecret(client, { ...TERMS, content, keep: noKeep, onProgress });
  expect(secret.state).toBe("available");
  expect(pauseCount).toBeGreaterThan(5);
}, 60_000);

test("a network that answers in the server's place passes once the server is known, and ends what hasn't begun", async () => {
  await using place = await setUp();
  let isElsewhere = false;
  const client = place.connect(place.token, {
    async fetch(url, init) {
      if (!isElsewhere) return fetch(url, init);
      throw Object.assign(new Error(), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    },
    async sleep(ms) {
      place.pauses.push(ms);
      if (place.pauses.length % 3 === 0) isElsewhere = false;
    },
  });
  const content = await toLargeContent({ kind: "binary", bytes: randomBytes(9 * MIB) });
  if (!content) throw new Error("it begins like an archive");
  const send = (onProgress?: () => void) => sendLargeSecret(client, { ...TERMS, content, keep: noKeep, onProgress });
  for (const [last, pauses] of [
    [2, 3],
    [3, 6],
  ] as const) {
    let calls = 0;
    // After the first piece, and after all of it.
    const { secret } = await send(() => void (isElsewhere = ++calls === last));
    expect([secret.state, place.pauses.length]).toEqual(["available", pauses]);
  }
  const begun = send(() => void (isElsewhere = true));
  expect(await errorOf(begun)).toMatchObject({ code: "tls_untrusted" });
  expect(place.pauses).toHaveLength(6);
}, 60_000);

test("a connection that never lasts for a whole piece suffices", async () => {
  await using place = await setUp();
  place.proxy.lose(...Array.from({ length: 60 }, () => ({ afterUp: 1.5 * MIB })));
  expect((await place.send(randomBytes(9 * MIB))).secret.state).toBe("available");
  expect(place.proxy.lost()).toBeLessThan(30);
});

test("what the server has after a cut is not sent again", async () => {
  await using place = await setUp();
  const methods: string[] = [];
  let isLost = false;
  const client = place.connect(place.token, {
    async fetch(url, init) {
      const response = await fetch(url, init);
      const method = init?.method ?? "GET";
      if (url.includes("/uploads/upl_")) methods.push(`${method} ${new Headers(init?.headers).get("upload-offset")}`);
      if (method !== "PATCH" || isLost) return response;
      isLost = true;
      throw Object.assign(new Error(), { code: "ECONNRESET" });
    },
  });
  const content = await toLargeContent({ kind: "binary", bytes: randomBytes(9 * MIB) });
  if (!content) throw new Error("it begins like an archive");
  await sendLargeSecret(client, { ...TERMS, content, keep: noKeep });
  expect(methods).toEqual(["PATCH 0", "HEAD null", `PATCH ${8 * MIB}`, "POST null"]);
});

test("a server that says that it has something else than was sent is asked, and given up when it stays so", async () => {
  await using place = await setUp();
  const content = await toLargeContent({ kind: "binary", bytes: randomBytes(9 * MIB) });
  if (!content) throw new Error("it begins like an archive");
  for (const [wrong, times] of [
    [0, 2],
    [8 * MIB - 1, 2],
    [9 * MIB, 2],
    [0, Infinity],
  ] as const) {
    place.pauses.length = 0;
    let count = 0;
    const client = place.connect(place.token, {
      async fetch(url, init) {
        if (init?.method !== "PATCH" || ++count > times) return fetch(url, init);
        if (count > 1000) throw new Error("it goes on and on");
        return new Response(null, { status: 204, headers: { "upload-offset": String(wrong) } });
      },
    });
    const sending = sendLargeSecret(client, { ...TERMS, content, keep: noKeep });
    if (times === Infinity) {
      expect(await errorOf(sending)).toMatchObject({ code: "unexpected_answer" });
      expect(place.pauses.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(10 * MINUTES);
    } else {
      expect((await sending).secret.state).toBe("available");
      expect(place.pauses).toHaveLength(times);
    }
  }
});

test("a ciphertext that is another one after a cut is not mixed with the first", async () => {
  await using place = await setUp();
  const { link } = await place.send(randomBytes(3 * MIB));
  const changes = [{ etag: '"other"' }, { "content-range": "bytes 5-9/10" }, { "content-length": "7" }] as const;
  for (const changed of changes) {
    let count = 0;
    const claimed = await place.claim(link, {
      async fetch(url, init) {
        const response = await fetch(url, init);
        if (!url.endsWith("/ciphertext") || ++count === 1) return response;
        return new Response(response.body, {
          status: response.status,
          headers: { ...Object.fromEntries(response.headers), ...changed },
        });
      },
    });
    place.proxy.lose({ afterDown: MIB });
    expect(await errorOf(claimed.open()), JSON.stringify(changed)).toMatchObject({ code: "unexpected_answer" });
    expect(count).toBe(2);
  }
});

test("an interrupted upload is ended, and counts against no quota any more", async () => {
  await using place = await setUp();
  const interruption = new AbortController();
  const client = place.connect(place.token, { signal: interruption.signal });
  const content = await toLargeContent({ kind: "binary", bytes: randomBytes(20 * MIB) });
  if (!content) throw new Error("it begins like an archive");
  const usage = async () => ((await client.call("getCredential")) as { team_stored_bytes: number }).team_stored_bytes;
  const before = await usage();
  const onProgress = () => interruption.abort();
  const error = await errorOf(sendLargeSecret(client, { ...TERMS, content, keep: noKeep, onProgress }));
  expect(error).toMatchObject({ code: "interrupted" });
  const after = (await place.client.call("getCredential")) as { team_stored_bytes: number };
  expect(after.team_stored_bytes).toBe(before);
  expect(await listSecrets(place.client, { limit: 10 })).toEqual([]);
});

test("an error of the content ends the upload, and is thrown as it is", async () => {
  await using place = await setUp();
  const lost = new Error("the disk is gone");
  const content = {
    kind: "large",
    plaintext: async () => streamOf(randomBytes(9 * MIB), 100_000, lost),
    bytes: 20 * MIB,
    hint: { hasText: false, files: 1 },
  } as const;
  const options = { ...TERMS, content, keep: noKeep };
  expect(await errorOf(sendLargeSecret(place.client, options))).toBe(lost);
  const { team_stored_bytes: bytes } = (await place.client.call("getCredential")) as { team_stored_bytes: number };
  expect(bytes).toBe(0);
});

test("what is too large for the server or the quota is refused before it is sent", async () => {
  await using small = await setUp({ maxSecretBytes: 2 * MIB, maxCiphertextBytes: MIB });
  const refusals: [typeof small, string, string][] = [[small, "payload_too_large", "about 2.0 MiB"]];
  await using without = await setUp({ maxSecretBytes: 0 });
  refusals.push([without, "payload_too_large", "about 7.5 MiB"]);
  await using full = await setUp({ teamQuotaBytes: 2 * MIB });
  refusals.push([full, "team_quota_exceeded", "team"]);
  for (const [place, code, text] of refusals) {
    const sent: number[] = [];
    const error = await errorOf(place.send(randomBytes(3 * MIB), { onProgress: (_, bytes) => void sent.push(bytes) }));
    expect(error).toMatchObject({ code, message: expect.stringContaining(text) });
    expect(sent).toEqual([]);
  }
});

test("whether something was made of an upload is asked for when that is interrupted", async () => {
  await using place = await setUp();
  for (const isMade of [true, false]) {
    const controller = new AbortController();
    const client = place.connect(place.token, {
      signal: controller.signal,
      async fetch(url, init) {
        if (!/\/secret\b/.test(url)) return fetch(url, init);
        // The answer never comes.
        if (isMade) await fetch(url, { ...init, signal: null });
        controller.abort();
        throw new DOMException("aborted", "AbortError");
      },
    });
    const content = await toLargeContent({ kind: "binary", bytes: randomBytes(3 * MIB) });
    if (!content) throw new Error("it begins like an archive");
    const error = await errorOf(sendLargeSecret(client, { ...TERMS, content, keep: noKeep }));
    const unknownOutcomeOf = isMade ? "createLargeSecret" : undefined;
    expect(error).toMatchObject({ code: "interrupted", unknownOutcomeOf });
  }
});

test("an upload whose beginning was not answered gives way to the next attempt, which waits for it", async () => {
  await using place = await setUp({ teamQuotaBytes: 5 * MIB });
  const { clock } = place.server.backend;
  let waited = 0;
  let isLost = false;
  const client = place.connect(place.token, {
    async sleep(ms) {
      waited += ms;
      clock.advance(ms);
    },
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (isLost || !url.endsWith("/uploads")) return response;
      isLost = true;
      throw Object.assign(new Error(), { code: "ECONNRESET" });
    },
  });
  const content = await toLargeContent({ kind: "binary", bytes: randomBytes(3 * MIB) });
  if (!content) throw new Error("it begins like an archive");
  const { secret } = await sendLargeSecret(client, { ...TERMS, content, keep: noKeep });
  expect([secret.state, isLost]).toEqual(["available", true]);
  expect(waited).toBeGreaterThanOrEqual(10 * MINUTES);
  expect(waited).toBeLessThan(11 * MINUTES);
});

test("a sender who finds the quota full of what broke off is told when to try again, at once", async () => {
  await using place = await setUp({ teamQuotaBytes: 5 * MIB });
  const content = randomBytes(3 * MIB);
  // As of a process that was killed.
  const begun = await callTus(`${place.server.url}/api/v1/uploads`, "POST", place.token, {
    "upload-length": String(3 * MIB),
  });
  expect(begun.status).toBe(201);
  place.server.backend.clock.advance(MINUTES / 2);
  expect(await errorOf(place.send(content))).toMatchObject({
    code: "team_quota_exceeded",
    advice:
      "If an upload broke off, try again in 10 minutes. Otherwise revoke secrets that nobody needs, wait until some expire, or ask an admin for a larger quota.",
  });
  place.server.backend.clock.advance(9 * MINUTES);
  expect(await errorOf(place.send(content))).toMatchObject({ advice: expect.stringContaining("again in 1 minute.") });
  place.server.backend.clock.advance(MINUTES / 2);
  expect((await place.send(content)).secret.state).toBe("available");
  expect(await errorOf(place.send(content))).toMatchObject({ advice: expect.stringMatching(/^Revoke/) });
  expect(place.pauses).toEqual([]);
});

test("a claim in the way of small secrets uses nothing up, and says what to do", async () => {
  await using place = await setUp();
  const { link } = await place.send(randomBytes(MIB));
  const { id, seed } = parseSecretLink(link);
  const client = place.connect((await deriveSecretLinkKeys(seed)).claimToken, { isOfLink: true });
  const error = await errorOf(claimSecret(client, id, "key"));
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({
    code: "envelope_version_unsupported",
    message: expect.stringContaining("handoff open"),
  });
  expect(await getSecret(client, id)).toMatchObject({ state: "available", claims: 0 });
});

test("a download that nobody reads any more ends its call, and makes no other", async () => {
  await using place = await setUp();
  const { link } = await place.send(randomBytes(3 * MIB));
  let count = 0;
  const claimed = await place.claim(link, {
    fetch: (url, init) => {
      if (url.endsWith("/ciphertext")) count += 1;
      return fetch(url, init);
    },
  });
  const { id, bytes } = claimed;
  const reader = downloadCiphertext(claimed.client, { id, idempotencyKey: "key", bytes }).getReader();
  await reader.read();
  const reading = reader.read();
  await reader.cancel();
  await reading;
  expect({ count, pauses: place.pauses }).toEqual({ count: 1, pauses: [] });
});

test("a download that takes long asks for the rest again before its window ends", async () => {
  await using place = await setUp();
  const content = randomBytes(6 * MIB);
  const { link } = await place.send(content);
  const ranges: (string | null)[] = [];
  const { client, id, bytes } = await place.claim(link, {
    fetch: (url, init) => {
      if (url.endsWith("/ciphertext")) ranges.push(new Headers(init?.headers).get("range"));
      return fetch(url, init);
    },
  });
  const clock = createTestClock();
  const [received, renewals, started]: [number[], number[], number] = [[], [], clock.now()];
  const ciphertext = await bytesOf(
    downloadCiphertext(client, {
      id,
      idempotencyKey: "key",
      bytes,
      now: clock.now,
      onRenewal: (askedAt) => void renewals.push(askedAt - started),
      onProgress(_, at) {
        received.push(at);
        clock.advance(MINUTES);
      },
    }),
  );
  const { agePassphrase } = await deriveSecretLinkKeys(parseSecretLink(link).seed);
  const opened = await (await openHeader(streamOf(ciphertext))).unlock({ passphrase: agePassphrase });
  expect(Buffer.compare(await bytesOf(opened), content)).toBe(0);
  expect(received.length).toBeGreaterThan(3);
  const thirds = received.filter((at, index) => index % 3 === 2 && at < bytes);
  expect(ranges).toEqual([null, ...thirds.map((at) => `bytes=${at}-`)]);
  expect(renewals).toEqual(ranges.map((_, index) => index * 3 * MINUTES));
  expect(place.pauses).toEqual([]);
});

test("a download that is stopped throws at once, and makes no other call", async () => {
  await using place = await setUp();
  const { link } = await place.send(randomBytes(3 * MIB));
  const stopping = new AbortController();
  const { client, id, bytes } = await place.claim(link, { sleep: async () => stopping.abort() });
  place.proxy.lose({ afterDown: MIB });
  const download = downloadCiphertext(client, { id, idempotencyKey: "key", bytes, until: stopping.signal });
  expect(await errorOf(bytesOf(download))).toMatchObject({ code: "interrupted" });
});
