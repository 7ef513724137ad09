import { expect, test } from "bun:test";
import { join } from "node:path";
import { Encrypter } from "age-encryption";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { invitePerson } from "../../../src/domain/signing-in/persons.ts";
import { setTeamRules } from "../../../src/domain/teams.ts";
import { connectRaw } from "../../support/raw-connections.ts";
import { startTestServer } from "../../support/server.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";
import { callTus } from "../../support/tus-calls.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * 60_000;
const SECRET_BYTES = 300_000;

/** A binary age file, of random bytes, to a passphrase. */
async function ageFile(bytes = SECRET_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase("fake-local-test-only");
  encrypter.setScryptWorkFactor(1);
  return new Uint8Array(await encrypter.encrypt(crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)))));
}

const sha256 = (bytes: Uint8Array) => `sha256 ${new Bun.CryptoHasher("sha256").update(bytes).digest("base64")}`;

/** The real app over a data folder, with a key that may do everything. */
async function setUp(policy: Partial<ServerPolicy> = {}) {
  const storage = openSqliteStorage();
  const server = await startTestServer({ policy, storage });
  const {
    token,
    key: { identity },
  } = await server.backend.mint();
  const send = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array<ArrayBuffer>,
    as = token,
  ) => callTus(server.url + path, method, as, headers, body);
  /** Begins an upload, and returns its path. */
  const begin = async (bytes: number) => {
    const { status, headers } = await send("POST", "/api/v1/uploads", { "upload-length": String(bytes) });
    expect(status).toBe(201);
    return headers.get("location") ?? "";
  };
  const patch = (path: string, offset: number, piece: Uint8Array<ArrayBuffer>, headers = {}, as = token) =>
    send(
      "PATCH",
      path,
      { "content-type": "application/offset+octet-stream", "upload-offset": String(offset), ...headers },
      piece,
      as,
    );
  /** Uploads a file, and makes a secret of it. */
  const make = async (file: Uint8Array<ArrayBuffer>, query = "") => {
    const path = await begin(file.length);
    expect((await patch(path, 0, file)).status).toBe(204);
    const made = await send("POST", `${path}/secret${query}`);
    expect(made.status).toBe(201);
    return { upload: path, ...made.json } as Record<"id" | "claim_token" | "upload", string>;
  };
  return {
    server,
    /** The file in which the bytes of an upload are. */
    fileOf: (path: string) => Bun.file(join(storage.folder, "blobs", path.split("/").at(-1) ?? "")),
    token,
    identity,
    send,
    begin,
    patch,
    make,
    usage: async () => (await server.backend.service.store.findTeamUsage(identity.teamId))?.storedBytes ?? NaN,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a file goes up in pieces, comes down whole and in parts, and is gone once it is acknowledged", async () => {
  await using place = await setUp();
  const { send, begin, patch } = place;
  const file = await ageFile();
  const before = await place.usage();
  const path = await begin(file.length);
  expect(path).toMatch(/^\/api\/v1\/uploads\/upl_[0-9a-v]{26}$/);
  // The whole length counts from the beginning.
  expect((await place.usage()) - before).toBeGreaterThan(file.length);
  for (let offset = 0; offset < file.length; offset += 30_000) {
    const piece = file.subarray(offset, offset + 30_000);
    const answer = await patch(path, offset, piece, { "upload-checksum": sha256(piece) });
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([204, String(offset + piece.length)]);
    expect(answer.headers.get("tus-resumable")).toBe("1.0.0");
  }
  const made = await send("POST", `${path}/secret?reference=OPS-1`);
  expect(made.status).toBe(201);
  const { id, claim_token: link } = made.json;
  expect(made.json).toMatchObject({
    state: "available",
    envelope_version: 2,
    ciphertext_bytes: file.length,
    ciphertext_format: "age",
    reference: "OPS-1",
    url: `${place.server.url}/s/${id}`,
  });
  expect(made.headers.get("location")).toBe(`/api/v1/secrets/${id}`);
  const key = { "idempotency-key": "random" };
  // The claim of an older client uses nothing up.
  expect((await send("POST", `/api/v1/secrets/${id}/claim`, key, undefined, link)).code).toBe(
    "envelope_version_unsupported",
  );
  expect((await send("GET", `/api/v1/secrets/${id}/ciphertext`, key, undefined, link)).code).toBe("not_found");
  const claimed = await send("POST", `/api/v1/secrets/${id}/large-claim`, key, undefined, link);
  expect(claimed.status).toBe(200);
  expect(claimed.json).toMatchObject({
    secret: { id, state: "claimed" },
    bytes: file.length,
    href: `${place.server.url}/api/v1/secrets/${id}/ciphertext`,
  });
  const whole = await send("GET", `/api/v1/secrets/${id}/ciphertext`, key, undefined, link);
  expect(whole.status).toBe(200);
  expect(Buffer.compare(whole.bytes, file)).toBe(0);
  expect(whole.headers.get("content-length")).toBe(String(file.length));
  expect(whole.headers.get("content-type")).toBe("application/octet-stream");
  expect(whole.headers.get("cache-control")).toBe("no-store");
  expect(whole.headers.get("etag")).toMatch(/^"[^"]+"$/);
  const part = await send("GET", `/api/v1/secrets/${id}/ciphertext`, { ...key, range: "bytes=100-" }, undefined, link);
  expect([part.status, part.headers.get("content-range")]).toEqual([
    206,
    `bytes 100-${file.length - 1}/${file.length}`,
  ]);
  expect(Buffer.compare(part.bytes, file.subarray(100))).toBe(0);
  expect(part.headers.get("etag")).toBe(whole.headers.get("etag"));
  const beyond = { ...key, range: `bytes=${file.length}-` };
  expect((await send("GET", `/api/v1/secrets/${id}/ciphertext`, beyond, undefined, link)).status).toBe(416);
  const head = await send("HEAD", `/api/v1/secrets/${id}/ciphertext`, key, undefined, link);
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(file.length)]);
  expect((await send("POST", `/api/v1/secrets/${id}/acknowledgement`, key, undefined, link)).status).toBe(204);
  expect((await send("GET", `/api/v1/secrets/${id}/ciphertext`, key, undefined, link)).code).toBe("secret_claimed");
});

test("an upload goes on where a cut connection has left it, and nowhere else", async () => {
  await using place = await setUp();
  const { server, token, send, begin, patch } = place;
  const file = await ageFile();
  const path = await begin(file.length);
  const raw = await connectRaw(server.url);
  const head = `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nTus-Resumable: 1.0.0\r\n`;
  raw.send(
    `${head}Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\nContent-Length: ${file.length}\r\n\r\n`,
  );
  raw.send(file.slice(0, 20_000));
  while (!((await place.fileOf(path).exists()) && place.fileOf(path).size === 20_000)) await Bun.sleep(5);
  // A look ends the call that still writes, and says what came of it.
  const offset = Number((await send("HEAD", path)).headers.get("upload-offset"));
  expect(offset).toBe(20_000);
  expect(await raw.until(/\r\n\r\n/)).toStartWith("HTTP/1.1 409 ");
  raw.end();
  expect((await patch(path, offset + 1, file.slice(offset))).code).toBe("offset_mismatch");
  expect((await patch(path, 0, file)).code).toBe("offset_mismatch");
  expect((await send("POST", `${path}/secret`)).code).toBe("upload_incomplete");
  expect((await patch(path, offset, file.slice(offset))).status).toBe(204);
  const { headers } = await send("HEAD", path);
  expect([headers.get("upload-offset"), headers.get("upload-length")]).toEqual([`${file.length}`, `${file.length}`]);
  expect((await send("POST", `${path}/secret`)).status).toBe(201);
});

/** Begins a call that sends `piece` and says that more comes. Resolves once all of it is in the file. */
async function hold(place: Awaited<ReturnType<typeof setUp>>, path: string, piece: Uint8Array, more = 1) {
  const raw = await connectRaw(place.server.url);
  raw.send(
    `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${place.token}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n` +
      `Content-Type: application/offset+octet-stream\r\nContent-Length: ${piece.length + more}\r\n\r\n`,
  );
  raw.send(piece);
  const isThere = async () => (await place.fileOf(path).exists()) && place.fileOf(path).size === piece.length;
  while (!(await isThere())) await Bun.sleep(5);
  return raw;
}

test("a call that still writes can't change a secret, nor outlive its upload", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const path = await place.begin(file.length);
  const raw = await hold(place, path, file);
  const { id, claim_token: link } = (await place.send("POST", `${path}/secret`)).json;
  expect(await raw.until(/\r\n\r\n/)).toStartWith("HTTP/1.1 409 ");
  raw.send("x");
  const key = { "idempotency-key": "k" };
  await place.send("POST", `/api/v1/secrets/${id}/large-claim`, key, undefined, link);
  const { bytes } = await place.send("GET", `/api/v1/secrets/${id}/ciphertext`, key, undefined, link);
  expect(Buffer.compare(bytes, file)).toBe(0);

  const other = await place.begin(file.length);
  const writing = await hold(place, other, file.slice(0, 1000), 5000);
  expect((await place.send("DELETE", other)).status).toBe(204);
  expect(await writing.until(/\r\n\r\n/)).toStartWith("HTTP/1.1 409 ");
  for (const each of [raw, writing]) each.end();
});

test("a credential sends twenty pieces at once, and a caller who leaves is no failure of the server", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const paths = await Promise.all(Array.from({ length: 21 }, () => place.begin(file.length)));
  const held = await Promise.all(paths.slice(1).map((path) => hold(place, path, file.slice(0, 1000), 5000)));
  const [path = ""] = paths;
  const refused = await place.patch(path, 0, file);
  expect([refused.status, refused.code]).toEqual([503, "server_busy"]);
  for (const raw of held) raw.end();
  let status = 503;
  while (status === 503) ({ status } = await place.patch(path, 0, file));
  expect(status).toBe(204);
  const lines = () => place.server.logs.map((line) => JSON.parse(line)).filter(({ method }) => method === "PATCH");
  while (lines().filter(({ code }) => code === "server_busy").length < held.length + 1) await Bun.sleep(5);
  expect(place.server.logs.filter((line) => line.includes('"error"'))).toEqual([]);
});

test("a piece of any length takes little memory", async () => {
  await using place = await setUp({ teamQuotaBytes: 2 ** 40 });
  const { path, bytes } = { path: await place.begin(2 ** 30), bytes: 512 * 2 ** 20 };
  const piece = new Uint8Array(2 ** 20);
  piece.set(new TextEncoder().encode("age-encryption.org/v1\n"));
  let left = bytes;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if ((left -= piece.length) < 0) controller.close();
      else controller.enqueue(piece.slice());
    },
  });
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 20);
  const { status } = await fetch(place.server.url + path, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${place.token}`,
      "tus-resumable": "1.0.0",
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    },
    body,
  });
  clearInterval(timer);
  expect(status).toBe(204);
  expect(most).toBeLessThan(bytes / 2);
});

test("a piece with another checksum, of another kind, or beyond the end is not kept", async () => {
  await using place = await setUp();
  const { send, begin, patch } = place;
  const file = await ageFile();
  const path = await begin(file.length);
  const refused: [Promise<{ readonly status: number; readonly code: string | undefined }>, string][] = [
    [patch(path, 0, file, { "upload-checksum": sha256(file.slice(1)) }), "460 checksum_mismatch"],
    [patch(path, 0, file, { "upload-checksum": "md5 1B2M2Y8AsgTpgAmY7PhCfg==" }), "400 invalid_header"],
    [patch(path, 0, file, { "content-type": "application/json" }), "415 unsupported_media_type"],
    [patch(path, 0, file, { "upload-offset": "-1" }), "400 invalid_header"],
    [patch(path, 0, file, { "tus-resumable": "0.2.2" }), "412 tus_version_unsupported"],
    [patch(path, 0, new Uint8Array([...file, 0])), "413 payload_too_large"],
    [patch(path, 0, new TextEncoder().encode("plain text, and no age file")), "422 ciphertext_unrecognized"],
    [patch(`${path}?a=b`, 0, file), "422 schema_mismatch"],
  ];
  for (const [answer, expected] of refused) {
    const { status, code } = await answer;
    expect(`${status} ${code}`).toBe(expected);
  }
  expect((await send("HEAD", path)).headers.get("upload-offset")).toBe("0");
});

test("what is no age file as a whole becomes no secret", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const text = new TextEncoder().encode(`age-encryption.org/v1\n${"plain text, line after line\n".repeat(100)}`);
  // 65,552 bytes of payload more are as many as a chunk has, and 17 more make another one.
  const wrongLength = file.slice(0, 300);
  for (const bytes of [text, wrongLength.slice(0, 180)]) {
    const path = await place.begin(bytes.length);
    expect((await place.patch(path, 0, bytes)).status).toBe(204);
    expect((await place.send("POST", `${path}/secret`)).code).toBe("ciphertext_unrecognized");
  }
  const none = await place.send("POST", "/api/v1/uploads", { "upload-length": "0" });
  expect(none.code).toBe("ciphertext_unrecognized");
});

test("an upload is refused with plaintext about it, and beyond the limits of the server, the rules and the quota", async () => {
  await using place = await setUp({ maxSecretBytes: 1_000_000, teamQuotaBytes: 600_000 });
  const create = (headers: Record<string, string>) => place.send("POST", "/api/v1/uploads", headers);
  expect((await create({ "upload-length": "10", "upload-metadata": "filename cGFzc3dvcmQ=" })).code).toBe(
    "plaintext_rejected",
  );
  expect((await create({})).code).toBe("invalid_header");
  expect((await create({ "upload-length": "1000001" })).code).toBe("payload_too_large");
  await setTeamRules(place.server.backend.service, place.identity.teamId, { maxSecretBytes: 100_000 });
  expect((await create({ "upload-length": "100001" })).json).toMatchObject({ code: "team_rule", rule: "max_secret" });
  await setTeamRules(place.server.backend.service, place.identity.teamId, { maxSecretBytes: null });
  expect((await create({ "upload-length": "600000" })).code).toBe("team_quota_exceeded");
  const before = await place.usage();
  const path = await place.begin(500_000);
  expect((await create({ "upload-length": "500000" })).code).toBe("team_quota_exceeded");
  expect((await place.send("DELETE", path)).status).toBe(204);
  expect(await place.usage()).toBe(before);
  expect((await place.send("HEAD", path)).status).toBe(410);
  expect((await place.send("DELETE", path)).code).toBe("upload_ended");
});

test("an upload belongs to the identity that began it", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const path = await place.begin(file.length);
  const { token: colleague } = await place.server.backend.mint();
  const { token: stranger } = await place.server.backend.mint({ team: "other" });
  for (const other of [colleague, stranger]) {
    expect((await place.patch(path, 0, file, {}, other)).code).toBe("upload_ended");
    expect((await place.send("DELETE", path, {}, undefined, other)).code).toBe("upload_ended");
    expect((await place.send("POST", `${path}/secret`, {}, undefined, other)).code).toBe("upload_ended");
  }
  // Nor does it stop the call that writes it.
  const writing = await hold(place, path, file.slice(0, 1000), 1);
  expect((await place.send("POST", `${path}/secret`, {}, undefined, colleague)).code).toBe("upload_ended");
  writing.send(file.slice(1000, 1001));
  expect(await writing.until(/\r\n\r\n/)).toStartWith("HTTP/1.1 204 ");
  writing.end();
  const { token: reader } = await place.server.backend.mint({ scopes: ["secrets:read"] });
  expect((await place.patch(path, 0, file, {}, reader)).code).toBe("insufficient_scope");
});

test("the page uploads below /app with the session of a person, and nothing else does", async () => {
  await using place = await setUp();
  const { backend, url } = place.server;
  const { name: team } = (await backend.service.store.listTeams())[0] ?? { name: "" };
  const { token } = await invitePerson(backend.service, { team, address: "ann" });
  const own = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const body = JSON.stringify({ sign_in_token: token });
  const signedIn = await fetch(`${url}/app/session`, { method: "POST", headers: own, body });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const call = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    piece?: Uint8Array<ArrayBuffer>,
  ) => {
    const answer = await fetch(url + path, {
      method,
      headers: { cookie, "sec-fetch-site": "same-origin", "tus-resumable": "1.0.0", ...headers },
      ...(piece && { body: piece }),
    });
    return { status: answer.status, path: answer.headers.get("location") ?? "", answer };
  };
  const file = await ageFile();
  const length = { "upload-length": String(file.length) };
  const { path } = await call("POST", "/app/uploads", length);
  expect(path).toMatch(/^\/app\/uploads\/upl_[0-9a-v]{26}$/);
  const type = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
  // Another credential of the same team, another site, and a session where it is none.
  expect((await place.send("HEAD", path.replace("/app", "/api/v1"))).status).toBe(410);
  expect((await call("PATCH", path, { ...type, "sec-fetch-site": "cross-site" }, file)).status).toBe(400);
  expect((await call("POST", "/api/v1/uploads", length)).status).toBe(401);
  expect((await call("POST", "/app/uploads", { ...length, authorization: `Bearer ${place.token}` })).status).toBe(401);
  expect((await call("PATCH", path, type, file)).status).toBe(204);
  expect((await call("HEAD", path, {})).answer.headers.get("upload-offset")).toBe(String(file.length));
  const made = await call("POST", `${path}/secret`, {});
  expect(made.status).toBe(201);
  expect(made.path).toMatch(/^\/app\/secrets\/sec_/);
  // What it became can't be ended as an upload.
  expect((await call("DELETE", path, {})).status).toBe(410);
  const second = await call("POST", "/app/uploads", length);
  expect((await call("DELETE", second.path, {})).status).toBe(204);
});

test("an upload ends a day after its last piece", async () => {
  await using place = await setUp();
  const { clock } = place.server.backend;
  const file = await ageFile();
  const path = await place.begin(file.length);
  clock.advance(DAY - 1000);
  expect((await place.patch(path, 0, file.slice(0, 1000))).status).toBe(204);
  clock.advance(DAY - 1000);
  expect((await place.send("HEAD", path)).headers.get("upload-offset")).toBe("1000");
  clock.advance(1000);
  expect((await place.patch(path, 1000, file.slice(1000))).code).toBe("upload_ended");
});

test("an upload that gets nothing for ten minutes gives way to the next of its sender, and one that is written doesn't", async () => {
  await using place = await setUp({ teamQuotaBytes: 1_500_000 });
  const { clock } = place.server.backend;
  const file = await ageFile();
  const create = () => place.send("POST", "/api/v1/uploads", { "upload-length": "1000000" });
  const lost = await place.begin(1_000_000);
  clock.advance(4 * MINUTE);
  const early = await create();
  expect([early.code, early.headers.get("retry-after")]).toEqual(["team_quota_exceeded", "360"]);
  expect((await place.patch(lost, 0, file.slice(0, 1000))).status).toBe(204);
  clock.advance(10 * MINUTE - 1);
  expect((await create()).headers.get("retry-after")).toBe("1");
  clock.advance(1);
  const { headers, status } = await create();
  expect(status).toBe(201);
  expect((await place.send("HEAD", lost)).status).toBe(410);

  const slow = headers.get("location") ?? "";
  const raw = await hold(place, slow, file.slice(0, 1000), 5000);
  clock.advance(60 * MINUTE);
  const late = await create();
  expect([late.code, late.headers.get("retry-after")]).toEqual(["team_quota_exceeded", null]);
  // As of a sender that is killed: what came is kept, and that was just now.
  raw.end();
  let wait: string | null = null;
  while (wait === null) wait = (await create()).headers.get("retry-after");
  expect(wait).toBe("600");
  clock.advance(10 * MINUTE);
  // A colleague has nothing of it.
  const colleague = await place.server.backend.mint();
  const theirs = { "upload-length": "1000000" };
  const refused = await place.send("POST", "/api/v1/uploads", theirs, undefined, colleague.token);
  expect([refused.code, refused.headers.get("retry-after")]).toEqual(["team_quota_exceeded", null]);
  expect((await create()).status).toBe(201);
  expect((await place.send("HEAD", slow)).status).toBe(410);
});

test("one upload makes one secret, and the same call gets it again", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const path = await place.begin(file.length);
  await place.patch(path, 0, file);
  const key = { "idempotency-key": "once" };
  const [first, second] = [
    await place.send("POST", `${path}/secret`, key),
    await place.send("POST", `${path}/secret`, key),
  ];
  expect(second.json).toEqual(first.json);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect((await place.send("POST", `${path}/secret`)).code).toBe("upload_ended");
  expect((await place.patch(path, file.length, new Uint8Array())).code).toBe("upload_ended");
  expect((await place.send("POST", `${path}/secret?max_claims=2`, key)).code).toBe("idempotency_conflict");
});

test("a claim of a large secret has one winner, whose window moves on with each download", async () => {
  await using place = await setUp({ replayWindowSeconds: 0 });
  const { clock } = place.server.backend;
  const secret = await place.make(await ageFile());
  const claim = (key: string) =>
    place.send(
      "POST",
      `/api/v1/secrets/${secret.id}/large-claim`,
      { "idempotency-key": key },
      undefined,
      secret.claim_token,
    );
  const download = (key: string) =>
    place.send(
      "GET",
      `/api/v1/secrets/${secret.id}/ciphertext`,
      { "idempotency-key": key },
      undefined,
      secret.claim_token,
    );
  const without = `/api/v1/secrets/${secret.id}/large-claim`;
  expect((await place.send("POST", without, {}, undefined, secret.claim_token)).code).toBe("invalid_header");
  const answers = await Promise.all(["a", "b", "c"].map(claim));
  expect(answers.map(({ code = "claimed" }) => code).toSorted()).toEqual([
    "claimed",
    "secret_claimed",
    "secret_claimed",
  ]);
  const key = ["a", "b", "c"][answers.findIndex(({ status }) => status === 200)] ?? "";
  expect((await claim(key)).headers.get("idempotency-replayed")).toBe("true");
  // 300 seconds at least, whatever the setting.
  for (let minutes = 0; minutes < 24 * 60; minutes += 4) {
    clock.advance(4 * 60_000 - 1);
    expect((await download(key)).status).toBe(200);
  }
  // A day after the claim it is over.
  clock.advance(6 * 60_000);
  expect((await download(key)).code).toBe("secret_claimed");
  expect((await claim(key)).code).toBe("secret_claimed");
});

test("a download whose file isn't whole any more is refused, before a byte of it is sent", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const secret = await place.make(file);
  const key = { "idempotency-key": "k" };
  const blob = place.fileOf(secret.upload);
  const claim = () =>
    place.send("POST", `/api/v1/secrets/${secret.id}/large-claim`, key, undefined, secret.claim_token);
  await blob.write(file.slice(1));
  expect((await claim()).code).toBe("storage_unavailable");
  // Nothing is used up.
  await blob.write(file);
  expect((await claim()).status).toBe(200);
  for (const harm of [() => blob.write(file.slice(1)), () => blob.delete()]) {
    await harm();
    const { status, code } = await place.send(
      "GET",
      `/api/v1/secrets/${secret.id}/ciphertext`,
      key,
      undefined,
      secret.claim_token,
    );
    expect([status, code]).toEqual([503, "storage_unavailable"]);
  }
});

test("a large secret that is revoked or expires, or whose claim is acknowledged, gives its room back", async () => {
  await using place = await setUp();
  const { clock, service } = place.server.backend;
  const file = await ageFile();
  const ends: Record<string, (secret: { id: string; claim_token: string }) => Promise<unknown>> = {
    revoked: ({ id }) => place.send("DELETE", `/api/v1/secrets/${id}`),
    expired: async ({ id }) => {
      clock.advance(61_000);
      await place.send("GET", `/api/v1/secrets/${id}`);
    },
    claimed: async ({ id, claim_token: link }) => {
      const key = { "idempotency-key": "k" };
      await place.send("POST", `/api/v1/secrets/${id}/large-claim`, key, undefined, link);
      await place.send("POST", `/api/v1/secrets/${id}/acknowledgement`, key, undefined, link);
    },
  };
  for (const [state, end] of Object.entries(ends)) {
    const secret = await place.make(file, "?expires_in=60");
    const before = await place.usage();
    await end(secret);
    expect((await place.send("GET", `/api/v1/secrets/${secret.id}`)).json).toMatchObject({ state });
    const [, id = ""] = [...((await service.large?.uploads.keptUploads()) ?? [])];
    expect({ state, left: id }).toEqual({ state, left: "" });
    expect(before - (await place.usage())).toBeGreaterThan(file.length - 2000);
  }
});

test("a server without room for large secrets says that it has none", async () => {
  await using place = await setUp({ maxSecretBytes: 0 });
  expect((await place.send("POST", "/api/v1/uploads", { "upload-length": "1" })).code).toBe("not_found");
  expect((await place.send("GET", "/api/v1/credential")).json.limits).toMatchObject({ max_secret_bytes: null });
});
