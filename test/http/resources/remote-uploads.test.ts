import { afterAll, expect, test } from "bun:test";
import { Encrypter } from "age-encryption";
import { startBlobSweeper } from "../../../src/domain/large/blob-sweeper.ts";
import { openObjectStore } from "../../../src/store/blobs/object-store.ts";
import { keysIn, startFaultyStore, startObjectStore } from "../../support/object-stores.ts";
import { until } from "../../support/polls.ts";
import { openLargePostgresStorage } from "../../support/postgres-storage.ts";
import { connectRaw } from "../../support/raw-connections.ts";
import { startTestServer } from "../../support/server.ts";
import { sharedPostgres } from "../../support/shared-postgres.ts";
import { callTus } from "../../support/tus-calls.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());
const moto = await startObjectStore();
afterAll(() => moto[Symbol.asyncDispose]());

const PART_BYTES = 20_000;
const KEY = { "idempotency-key": "k" };
let buckets = 0;

/** A binary age file of some 65,800 bytes, or as many more as `more` says, to a passphrase. */
async function ageFile(more = 0): Promise<Uint8Array<ArrayBuffer>> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase("fake-local-test-only");
  encrypter.setScryptWorkFactor(1);
  return new Uint8Array(await encrypter.encrypt(new Uint8Array(65_536 + more)));
}

const sha256 = (bytes: Uint8Array) => `sha256 ${new Bun.CryptoHasher("sha256").update(bytes).digest("base64")}`;

/** Two servers over one PostgreSQL and one object store, which can be made to fail, with a key for both. */
async function setUp() {
  await using starting = new AsyncDisposableStack();
  buckets += 1;
  const bucket = await moto.makeBucket(`bucket-${buckets}`);
  const store = starting.use(startFaultyStore(bucket));
  const objects = openObjectStore(store.options);
  const storage = await openLargePostgresStorage(cluster.socket, objects, PART_BYTES);
  const one = starting.use(await startTestServer({ storage }));
  const two = starting.use(
    await startTestServer({ storage: { ...storage, [Symbol.asyncDispose]: async () => undefined } }),
  );
  const { token, key } = await one.backend.mint();
  const sendTo =
    (server: typeof one) =>
    (method: string, path: string, headers: Record<string, string> = {}, body?: Uint8Array<ArrayBuffer>, as = token) =>
      callTus(server.url + path, method, as, headers, body);
  const [send, sendToOther] = [sendTo(one), sendTo(two)];
  const begin = async (bytes: number) => {
    const { headers } = await send("POST", "/api/v1/uploads", { "upload-length": String(bytes) });
    return headers.get("location") ?? "";
  };
  const patch = (path: string, offset: number, piece: Uint8Array<ArrayBuffer>, headers = {}, by = send) =>
    by(
      "PATCH",
      path,
      { "content-type": "application/offset+octet-stream", "upload-offset": String(offset), ...headers },
      piece,
    );
  /** Uploads a file, and makes a secret of it. */
  const make = async (file: Uint8Array<ArrayBuffer>) => {
    const path = await begin(file.length);
    await patch(path, 0, file);
    return (await send("POST", `${path}/secret`)).json as Record<"id" | "claim_token", string>;
  };
  const all = starting.move();
  return {
    one,
    two,
    bucket,
    store,
    token,
    send,
    sendToOther,
    begin,
    patch,
    make,
    claim: ({ id, claim_token: link }: Record<"id" | "claim_token", string>) =>
      send("POST", `/api/v1/secrets/${id}/large-claim`, KEY, undefined, link),
    download: (
      { id, claim_token: link }: Record<"id" | "claim_token", string>,
      headers = {},
      method = "GET",
      by = send,
    ) => by(method, `/api/v1/secrets/${id}/ciphertext`, { ...KEY, ...headers }, undefined, link),
    keys: () => keysIn(bucket),
    /** Erases what is over, as a server does. */
    async sweep() {
      const { large } = one.backend.service;
      if (!large) throw new Error("there is no place for large secrets");
      const sweeper = startBlobSweeper({ large, intervalMs: 60_000, onError: () => undefined });
      try {
        await sweeper.sweep();
      } finally {
        await sweeper.stop();
      }
    },
    usage: async () => (await one.backend.service.store.findTeamUsage(key.identity.teamId))?.storedBytes ?? NaN,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test("a file goes up to two servers in turn, comes down whole and in parts from both, and its objects go", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const before = await place.usage();
  const path = await place.begin(file.length);
  for (let offset = 0; offset < file.length; offset += 30_000) {
    const piece = file.subarray(offset, offset + 30_000);
    const by = offset === 30_000 ? place.sendToOther : place.send;
    const answer = await place.patch(path, offset, piece, { "upload-checksum": sha256(piece) }, by);
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([204, String(offset + piece.length)]);
  }
  expect((await place.keys()).length).toBe(5);
  const made = await place.sendToOther("POST", `${path}/secret`);
  expect(made.json).toMatchObject({ envelope_version: 2, ciphertext_bytes: file.length });
  expect((await place.download(made.json)).code).toBe("not_found");
  expect((await place.claim(made.json)).status).toBe(200);
  for (const by of [place.send, place.sendToOther]) {
    const whole = await place.download(made.json, {}, "GET", by);
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
    expect(Buffer.compare(whole.bytes, file)).toBe(0);
    const tag = whole.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    const last = file.length - 1;
    const parts: [Record<string, string>, number, number][] = [
      [{ range: "bytes=100-" }, 100, last],
      [{ range: "bytes=0-0" }, 0, 0],
      [{ range: "bytes=19999-20000", "if-range": tag }, 19_999, 20_000],
      [{ range: `bytes=500-${file.length + 500}` }, 500, last],
      [{ range: "bytes=-7" }, last - 6, last],
      [{ range: `bytes=-${file.length + 1}` }, 0, last],
    ];
    for (const [headers, first, end] of parts) {
      const part = await place.download(made.json, headers, "GET", by);
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${first}-${end}/${file.length}`]);
      expect(Buffer.compare(part.bytes, file.subarray(first, end + 1))).toBe(0);
      expect(part.headers.get("etag")).toBe(tag);
    }
  }
  for (const headers of [{ range: "bytes=5-1" }, { range: "lines=1-2" }, { range: "bytes=1-2", "if-range": '"x"' }]) {
    expect((await place.download(made.json, headers)).status).toBe(200);
  }
  for (const range of [`bytes=${file.length}-`, "bytes=-0"]) {
    const beyond = await place.download(made.json, { range });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${file.length}`]);
  }
  const calls = place.store.calls.length;
  const head = await place.download(made.json, {}, "HEAD");
  expect(place.store.calls.length).toBe(calls);
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(file.length)]);
  await place.sweep();
  expect((await place.keys()).length).toBe(5);
  const link = made.json.claim_token;
  await place.send("POST", `/api/v1/secrets/${made.json.id}/acknowledgement`, KEY, undefined, link);
  expect((await place.download(made.json)).code).toBe("secret_claimed");
  await place.sweep();
  expect(await place.keys()).toEqual([]);
  expect((await place.usage()) - before).toBeLessThan(5000);
});

test("of two servers that write one upload at once, one goes on, and the other's objects go", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const path = await place.begin(file.length);
  const raw = await connectRaw(place.one.url);
  raw.send(
    `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${place.token}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n` +
      `Content-Type: application/offset+octet-stream\r\nContent-Length: ${file.length}\r\n\r\n`,
  );
  raw.send(file.slice(0, 30_000));
  const offset = async () => Number((await place.sendToOther("HEAD", path)).headers.get("upload-offset"));
  await until(async () => (await offset()) === PART_BYTES);
  // The client has gone elsewhere, and its old connection is still there.
  const rest = await place.patch(path, PART_BYTES, file.slice(PART_BYTES), {}, place.sendToOther);
  expect(rest.status).toBe(204);
  raw.send(file.slice(30_000));
  expect(await raw.until(/\r\n\r\n/)).toStartWith("HTTP/1.1 409 ");
  raw.end();
  expect((await place.keys()).length).toBe(4);
  const { json: secret } = await place.send("POST", `${path}/secret`);
  await place.claim(secret);
  expect(Buffer.compare((await place.download(secret)).bytes, file)).toBe(0);
});

test("of a piece that breaks off what came is kept, and nothing of one with another checksum", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const path = await place.begin(file.length);
  const wrong = { "upload-checksum": sha256(file.slice(1)) };
  expect((await place.patch(path, 0, file, wrong)).code).toBe("checksum_mismatch");
  expect(await place.keys()).toEqual([]);
  expect((await place.patch(path, 0, new Uint8Array([...file, 0]))).code).toBe("payload_too_large");
  const offset = async () => Number((await place.send("HEAD", path)).headers.get("upload-offset"));
  /** Begins a call that sends so many bytes and says that more come. Resolves once the server has them. */
  const hold = async (from: number, bytes: number) => {
    const before = (await place.keys()).length;
    const raw = await connectRaw(place.one.url);
    raw.send(
      `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${place.token}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: ${from}\r\n` +
        `Content-Type: application/offset+octet-stream\r\nContent-Length: ${file.length}\r\n\r\n`,
    );
    raw.send(file.slice(from, from + bytes));
    // What fills a part shows that the rest has come too.
    await until(async () => (await place.keys()).length > before);
    return raw;
  };
  const at = await offset();
  const [first, second] = [PART_BYTES + 1234, PART_BYTES + 4321];
  (await hold(at, first)).end();
  await until(async () => (await offset()) === at + first);
  // Nor is anything lost when the same server stops a call, because its connection may be.
  const from = at + first;
  const held = await hold(from, second);
  expect(await offset()).toBe(from + second);
  held.end();
  expect((await place.patch(path, from + second, file.slice(from + second))).status).toBe(204);
  expect((await place.send("POST", `${path}/secret`)).status).toBe(201);
});

test("a store that lies is found out before there is a secret, and one that loses objects before a claim", async () => {
  await using place = await setUp();
  const file = await ageFile(90_000);
  const path = await place.begin(file.length);
  let puts = 0;
  // Not of those that are read to see what it is.
  place.store.fault = ({ method }) =>
    method === "PUT" && (puts += 1) > 5 ? Promise.resolve(new Response()) : undefined;
  expect((await place.patch(path, 0, file)).status).toBe(204);
  place.store.fault = undefined;
  expect((await place.send("POST", `${path}/secret`)).code).toBe("storage_unavailable");
  const secret = await place.make(file);
  const key = (await place.keys()).at(-1) ?? "";
  // Past the proxy.
  const objects = openObjectStore(place.bucket);
  await objects.remove(key);
  expect((await place.claim(secret)).code).toBe("storage_unavailable");
  await objects.put(key, file.slice(7 * PART_BYTES));
  expect((await place.claim(secret)).status).toBe(200);
  expect(Buffer.compare((await place.download(secret)).bytes, file)).toBe(0);
});

test("while the store is away, calls for large secrets are refused, use nothing up, and go on afterwards", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const secret = await place.make(file);
  const path = await place.begin(file.length);
  place.store.fault = async () => new Response("", { status: 403 });
  const refused = [
    await place.patch(path, 0, file),
    await place.claim(secret),
    await place.send("POST", `${path}/secret`),
  ];
  expect(refused.map(({ status, code }) => `${status} ${code}`)).toEqual([
    "503 storage_unavailable",
    "503 storage_unavailable",
    "409 upload_incomplete",
  ]);
  place.store.fault = undefined;
  expect((await place.patch(path, 0, file)).status).toBe(204);
  expect((await place.claim(secret)).status).toBe(200);
  place.store.fault = async () => new Response("", { status: 403 });
  expect((await place.download(secret)).code).toBe("storage_unavailable");
  place.store.fault = undefined;
  expect((await place.download(secret)).status).toBe(200);
});

test("a download that the store cuts for good is cut off, so that nobody takes it for whole", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const secret = await place.make(file);
  await place.claim(secret);
  let gets = 0;
  place.store.fault = (request) =>
    request.method === "GET" && (gets += 1) > 2 ? Promise.resolve(new Response("", { status: 403 })) : undefined;
  expect(await place.download(secret).catch((error: unknown) => error)).toBeInstanceOf(Error);
  place.store.fault = undefined;
  const rest = await place.download(secret, { range: "bytes=40000-" });
  expect(Buffer.compare(rest.bytes, file.subarray(40_000))).toBe(0);
});
