import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Encrypter } from "age-encryption";
import { encodeToken } from "../../../src/contract/tokens.ts";
import { createAgeIdentity } from "../../../src/crypto/age-identities.ts";
import type { ServerPolicy } from "../../../src/domain/server-policies.ts";
import { hashToken } from "../../../src/domain/values/tokens.ts";
import { startTestServer } from "../../support/server.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";
import { callTus } from "../../support/tus-calls.ts";
import { largeAgeFile } from "../../support/uploads.ts";

const ANN = "ann@a.test";
const { recipient: RECIPIENT } = await createAgeIdentity("x25519");

/** A binary age file, of random bytes, to the recipient of a request. */
async function ageFile(): Promise<Uint8Array<ArrayBuffer>> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(RECIPIENT);
  return new Uint8Array(await encrypter.encrypt(crypto.getRandomValues(new Uint8Array(50_000))));
}

interface Link {
  readonly id: string;
  readonly token: string;
}

/** The real app over a data folder, and a key that may do everything. */
async function setUp(policy: Partial<ServerPolicy> = {}) {
  const storage = openSqliteStorage();
  const server = await startTestServer({ policy: { sendsMails: true, ...policy }, storage });
  const { token } = await server.backend.mint();
  const { store } = server.backend.service;
  const send = (
    method: string,
    path: string,
    as: string,
    headers: Record<string, string> = {},
    body?: Uint8Array<ArrayBuffer>,
  ) => callTus(server.url + path, method, as, headers, body);
  const begin = async ({ id, token: as }: Link, bytes: number, headers = {}) => {
    const begun = await send("POST", `/api/v1/requests/${id}/uploads`, as, {
      "upload-length": String(bytes),
      ...headers,
    });
    return { ...begun, path: begun.headers.get("location") ?? "" };
  };
  const patch = (path: string, as: string, piece: Uint8Array<ArrayBuffer>) =>
    send("PATCH", path, as, { "content-type": "application/offset+octet-stream", "upload-offset": "0" }, piece);
  return {
    server,
    token,
    store,
    send,
    begin,
    patch,
    /** Makes a request. */
    async ask(query = ""): Promise<Link> {
      const made = await server.call("POST", `/api/v1/requests${query}`, { token, body: { recipient: RECIPIENT } });
      return { id: made.json.id, token: made.json.submit_token };
    },
    /** Uploads a file for a request. Returns its path. */
    async upload(link: Link, file: Uint8Array<ArrayBuffer>, headers = {}) {
      const { path, status } = await begin(link, file.length, headers);
      expect(status).toBe(201);
      expect((await patch(path, link.token, file)).status).toBe(204);
      return path;
    },
    /** The names of the files with the bytes of uploads. */
    files: () => readdirSync(join(storage.folder, "blobs")),
    setState: (id: string, state: string) => server.call("PATCH", `/api/v1/requests/${id}`, { token, body: { state } }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test("a large file is handed in once, and its team claims and downloads it", async () => {
  await using place = await setUp();
  const link = await place.ask();
  const file = await ageFile();
  const path = await place.upload(link, file);
  expect(path).toMatch(/^\/api\/v1\/uploads\/upl_/);
  expect((await place.send("HEAD", path, link.token)).headers.get("upload-offset")).toBe(String(file.length));
  const key = { "idempotency-key": "hand-in" };
  const handedIn = await place.send("POST", `${path}/submission`, link.token, key);
  expect([handedIn.status, handedIn.json]).toEqual([
    201,
    { secret_id: expect.stringMatching(/^sec_/), state: "available" },
  ]);
  const again = await place.send("POST", `${path}/submission`, link.token, key);
  expect([again.json, again.headers.get("idempotency-replayed")]).toEqual([handedIn.json, "true"]);
  expect((await place.send("POST", `${path}/submission`, link.token)).code).toBe("request_fulfilled");
  expect((await place.begin(link, file.length)).code).toBe("request_fulfilled");

  const id = handedIn.json.secret_id;
  const seen = await place.server.call("GET", `/api/v1/secrets/${id}`, { token: place.token });
  expect(seen.json).toMatchObject({ envelope_version: 2, request_id: link.id, created_by: null, max_claims: 1 });
  const claim = { "idempotency-key": "claim" };
  expect((await place.send("POST", `/api/v1/secrets/${id}/large-claim`, place.token, claim)).status).toBe(200);
  const { bytes } = await place.send("GET", `/api/v1/secrets/${id}/ciphertext`, place.token, claim);
  expect(Buffer.compare(bytes, file)).toBe(0);
});

test("an upload belongs to the request whose link began it", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const [link, other] = [await place.ask(), await place.ask()];
  expect((await place.begin({ ...link, token: other.token }, file.length)).code).toBe("not_found");
  expect((await place.begin({ ...link, token: place.token }, file.length)).code).toBe("insufficient_scope");
  const length = { "upload-length": String(file.length) };
  expect((await place.send("POST", "/api/v1/uploads", link.token, length)).code).toBe("insufficient_scope");
  const path = await place.upload(link, file);
  for (const token of [other.token, place.token]) {
    expect((await place.send("HEAD", path, token)).status).toBe(410);
    expect((await place.send("DELETE", path, token)).code).toBe("upload_ended");
  }
  expect((await place.send("POST", `${path}/submission`, other.token)).code).toBe("upload_ended");
  expect((await place.send("POST", `${path}/submission`, place.token)).code).toBe("insufficient_scope");
  expect((await place.send("POST", `${path}/secret`, place.token)).code).toBe("upload_ended");
  expect((await place.send("POST", `${path}/secret`, link.token)).code).toBe("insufficient_scope");

  const own = (await place.send("POST", "/api/v1/uploads", place.token, length)).headers.get("location") ?? "";
  expect((await place.patch(own, link.token, file)).code).toBe("upload_ended");
  expect((await place.patch(own, place.token, file)).status).toBe(204);
  expect((await place.send("POST", `${own}/submission`, link.token)).code).toBe("upload_ended");
});

test("of two requests with one submit token, an upload is for the one that was named", async () => {
  await using place = await setUp();
  const file = await ageFile();
  const token = encodeToken("submit", new Uint8Array(24).fill(7));
  const hash = new Bun.CryptoHasher("sha256").update(token).digest("base64url");
  const first = { ...(await place.ask(`?submit_token_hash=${hash}`)), token };
  const path = (await place.begin(first, file.length)).path;
  await place.ask(`?submit_token_hash=${hash}`);
  expect((await place.patch(path, token, file)).status).toBe(204);
  const { json } = await place.send("POST", `${path}/submission`, token);
  const seen = await place.server.call("GET", `/api/v1/secrets/${json.secret_id}`, { token: place.token });
  expect(seen.json.request_id).toBe(first.id);
});

test("a request takes as many uploads as submissions, and the oldest gives way", async () => {
  await using place = await setUp();
  const link = await place.ask("?max_submissions=2");
  const paths: string[] = [];
  for (let count = 0; count < 5; count++) paths.push((await place.begin(link, 1_000_000)).path);
  // As of a client that asks for many at once.
  const more = await Promise.all([1, 2, 3].map(() => place.begin(link, 1_000_000)));
  const states = await Promise.all(
    [...paths, ...more.map(({ path }) => path)].map(
      async (path) => (await place.send("HEAD", path, link.token)).status,
    ),
  );
  expect(states.filter((status) => status === 200)).toHaveLength(2);
  expect(states.slice(0, 5)).toEqual([410, 410, 410, 410, 410]);
});

test("what the holder of a link announces takes no room from the team, and no room is taken beyond the quota", async () => {
  await using place = await setUp({ teamQuotaBytes: 1_000_000 });
  const link = await place.ask("?max_submissions=2");
  const begun = await place.begin(link, 900_000);
  expect(begun.status).toBe(201);
  const length = { "upload-length": "900000" };
  const own = await place.send("POST", "/api/v1/uploads", place.token, length);
  expect(own.status).toBe(201);
  expect((await place.begin(link, 900_000)).code).toBe("team_quota_exceeded");
  const large = largeAgeFile(200_000);
  expect((await place.patch(begun.path, link.token, large)).code).toBe("team_quota_exceeded");
  expect((await place.send("HEAD", begun.path, link.token)).headers.get("upload-offset")).toBe("0");
  await place.send("DELETE", own.headers.get("location") ?? "", place.token);
  expect((await place.patch(begun.path, link.token, large)).status).toBe(204);
});

test("an upload that ends is off the disk before the next one begins", async () => {
  await using place = await setUp();
  const link = await place.ask();
  const file = await ageFile();
  const first = await place.upload(link, file);
  expect(place.files()).toEqual([first.split("/").at(-1) ?? ""]);
  const second = await place.begin(link, file.length);
  expect(place.files()).toEqual([]);
  expect((await place.patch(second.path, link.token, file)).status).toBe(204);
  expect((await place.send("DELETE", second.path, link.token)).status).toBe(204);
  expect(place.files()).toEqual([]);
});

test("what a killed sender has left for a request gives way to the next upload", async () => {
  await using place = await setUp({ teamQuotaBytes: 1_500_000 });
  const { clock } = place.server.backend;
  const [link, other] = [await place.ask("?max_submissions=2"), await place.ask()];
  const path = await place.upload(link, largeAgeFile(1_000_000));
  const refused = await place.begin(link, 1_000_000);
  expect([refused.code, refused.headers.get("retry-after")]).toEqual(["team_quota_exceeded", "600"]);
  clock.advance(600_000);
  expect((await place.begin(other, 1_000_000)).code).toBe("team_quota_exceeded");
  expect((await place.begin(link, 1_000_000)).status).toBe(201);
  expect((await place.send("HEAD", path, link.token)).status).toBe(410);
});

test("a request that is paused or has ended takes no pieces, and its uploads can be ended", async () => {
  await using place = await setUp();
  const link = await place.ask();
  const file = await ageFile();
  const path = await place.upload(link, file);
  await place.setState(link.id, "paused");
  expect((await place.begin(link, file.length)).code).toBe("request_paused");
  expect((await place.patch(path, link.token, file)).code).toBe("request_paused");
  expect((await place.send("POST", `${path}/submission`, link.token)).code).toBe("request_paused");
  await place.setState(link.id, "open");
  expect((await place.send("POST", `${path}/submission`, link.token)).status).toBe(201);

  const ended = await place.ask();
  const left = await place.upload(ended, file);
  await place.server.call("DELETE", `/api/v1/requests/${ended.id}`, { token: place.token });
  expect((await place.patch(left, ended.token, file)).code).toBe("request_revoked");
  expect((await place.send("DELETE", left, ended.token)).status).toBe(204);
});

test("chosen people prove who they are when the upload begins, however long it takes", async () => {
  await using place = await setUp();
  const link = await place.ask(`?for=${encodeURIComponent(ANN)}`);
  const file = await ageFile();
  const prove = async (address: string) => {
    const proof = encodeToken("proof", crypto.getRandomValues(new Uint8Array(24)));
    const expiresAt = place.server.backend.clock.now() + 600_000;
    const attempt = { purpose: "proven", challenge: "", address, subjectId: link.id, expiresAt } as const;
    await place.store.createProof(attempt, hashToken(proof));
    return { "handoff-proof": proof };
  };
  expect((await place.begin(link, file.length)).code).toBe("proof_required");
  expect((await place.begin(link, file.length, await prove("eve@a.test"))).code).toBe("proof_required");
  const path = await place.upload(link, file, await prove("Ann@a.test"));
  place.server.backend.clock.advance(3_600_000);
  const { status, json } = await place.send("POST", `${path}/submission`, link.token);
  expect(status).toBe(201);
  const events = await place.server.call("GET", "/api/v1/events", { token: place.token });
  expect(events.json.data).toContainEqual(
    expect.objectContaining({
      type: "secret.created",
      secret_id: json.secret_id,
      actor: expect.objectContaining({ kind: "address", address: "Ann@a.test" }),
    }),
  );
});
