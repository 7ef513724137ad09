import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { apiOf, jsonOf, mintKey, runExecutable, UNLIMITED } from "../support/executions.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { startProgram } from "../support/running.ts";
import { callTus } from "../support/tus-calls.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const LARGE = 512 * KIB;
const RESTARTS = 20;

const freeBytes = (path: string) => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};

/** Fills the disk of `path` except for `leaving` bytes, as another program would. */
function fillDisk(path: string, leaving: number): void {
  const file = openSync(path, "w");
  const chunk = new Uint8Array(4 * KIB);
  try {
    while (freeBytes(path) > leaving) writeSync(file, chunk);
  } catch (error) {
    // The server has taken the last block meanwhile.
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
}

/** Serves from `folder` with a ballast of 18 MiB. */
const startIn = (folder: string) =>
  startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder, "--max-ciphertext", "1MiB", ...UNLIMITED]);

async function until(condition: () => Promise<boolean>, milliseconds: number): Promise<boolean> {
  for (const end = performance.now() + milliseconds; performance.now() < end; await Bun.sleep(100)) {
    if (await condition()) return true;
  }
  return false;
}

const readiness = async (url: string) => (await fetch(`${url}/health/ready`)).status;

type Api = ReturnType<typeof apiOf>;

/** Creates secrets with `bytes` of ciphertext until one is refused. Returns the others by id, and the refusal. */
async function createUntilRefused(api: Api, bytes: number) {
  const created = new Map<string, string>();
  for (let n = 0; n < 500; n++) {
    const ciphertext = `${n}-`.padEnd(bytes, "x");
    const answer = await api.create(ciphertext);
    if (answer.status !== 201) return { created, refused: answer };
    created.set((await jsonOf(answer)).id, ciphertext);
  }
  throw new Error("the disk never filled");
}

async function expectStorageRefusal(answer: Response): Promise<void> {
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await jsonOf(answer)).toMatchObject({ code: "storage_unavailable" });
}

async function expectClaimable(api: Api, secrets: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, ciphertext] of secrets) {
    const answer = await api.claim(id);
    expect(answer.status).toBe(200);
    expect((await jsonOf(answer)).envelope.ciphertext === ciphertext).toBe(true);
    expect((await api.claim(id)).status).toBe(410);
  }
}

test("a disk full of secrets refuses creations, hands out every secret, and then accepts creations again", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  await using server = await startIn(folder);
  const api = apiOf(server.url, await mintKey(folder));
  const { created, refused } = await createUntilRefused(api, LARGE);
  await expectStorageRefusal(refused);
  expect(created.size).toBeGreaterThan(40);
  await expectStorageRefusal(await api.create("small"));
  expect(await readiness(server.url)).toBe(503);
  expect((await fetch(`${server.url}/health/live`)).status).toBe(200);

  const [revoked = ""] = created.keys();
  expect(await jsonOf(api.revoke(revoked))).toMatchObject({ state: "revoked" });
  created.delete(revoked);
  await expectClaimable(api, created);
  expect(await until(async () => (await api.create("small")).status === 201, 20_000)).toBe(true);
  expect(await readiness(server.url)).toBe(200);
  expect((await createUntilRefused(api, LARGE)).created.size).toBeGreaterThan(40);
}, 60_000);

test("a disk filled by other programs refuses only creations, and recovers when there is room", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  await using server = await startIn(folder);
  const api = apiOf(server.url, await mintKey(folder));
  const created = new Map<string, string>();
  for (let n = 0; n < 40; n++) {
    const ciphertext = `${n}-`.padEnd(LARGE, "x");
    created.set((await jsonOf(api.create(ciphertext))).id, ciphertext);
  }
  const filler = join(disk.path, "filler");
  fillDisk(filler, 0);
  const { refused } = await createUntilRefused(api, LARGE);
  await expectStorageRefusal(refused);
  await expectClaimable(api, created);
  await expectStorageRefusal(await api.create("small"));
  rmSync(filler);
  expect(await until(async () => (await api.create("small")).status === 201, 10_000)).toBe(true);
}, 60_000);

test("a server started without room for the ballast claims and revokes, but creates nothing at first", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  const token = await mintKey(folder);
  const created: string[] = [];
  {
    await using server = await startIn(folder);
    const api = apiOf(server.url, token);
    for (const text of ["one", "two"]) created.push((await jsonOf(api.create(text))).id);
  }
  rmSync(join(folder, "ballast"));
  const filler = join(disk.path, "filler");
  fillDisk(filler, 4 * MIB);

  await using server = await startIn(folder);
  const api = apiOf(server.url, token);
  expect(await readiness(server.url)).toBe(503);
  await expectStorageRefusal(await api.create("three"));
  const [one = "", two = ""] = created;
  expect(await jsonOf(api.claim(one))).toMatchObject({ envelope: { ciphertext: "one" } });
  expect(await jsonOf(api.revoke(two))).toMatchObject({ state: "revoked" });
  rmSync(filler);
  expect(await until(async () => (await readiness(server.url)) === 200, 10_000)).toBe(true);
  expect((await api.create("three")).status).toBe(201);
}, 30_000);

test("where the disk has too little room for large secrets, pieces are refused and the server says why", async () => {
  using disk = mountTmpfs("400m");
  const filler = join(disk.path, "filler");
  fillDisk(filler, 200 * MIB);
  const folder = join(disk.path, "data");
  const token = await mintKey(folder);
  await using server = await startIn(folder);
  const call = (method: string, path: string, headers: Record<string, string>) =>
    callTus(server.url + path, method, token, headers, new Uint8Array(method === "PATCH" ? 1000 : 0));
  const { headers } = await call("POST", "/api/v1/uploads", { "upload-length": "1000" });
  const send = () =>
    call("PATCH", headers.get("location") ?? "", {
      "content-type": "application/offset+octet-stream",
      "upload-offset": "0",
    });
  expect(await jsonOf(fetch(`${server.url}/health/ready`))).toEqual({ status: "ready", troubles: [] });
  const { code, json } = await send();
  expect({ code, ...json }).toMatchObject({
    code: "storage_unavailable",
    detail: expect.stringMatching(/^The disk of the server is too full for more of a large secret\./),
  });
  const { status, troubles } = await jsonOf(fetch(`${server.url}/health/ready`));
  expect({ status, troubles }).toMatchObject({ status: "ready", troubles: [{ code: "no_room_for_large" }] });
  expect((await apiOf(server.url, token).create("small")).status).toBe(201);
  const checked = await runExecutable(["admin", "check", "--json", "--data-dir", folder]);
  expect(checked.stdout).toContain("That is too little for large secrets.");
  rmSync(filler);
  expect(await jsonOf(fetch(`${server.url}/health/ready`))).toMatchObject({ troubles: [] });
}, 30_000);

test("a first start on an almost full disk takes no room from others, and says how much it waits for", async () => {
  using disk = mountTmpfs("24m");
  const before = freeBytes(disk.path);
  await using server = await startIn(join(disk.path, "data"));
  const { troubles } = await jsonOf(fetch(`${server.url}/health/ready`));
  expect(troubles).toMatchObject([
    { code: "no_room", message: expect.stringMatching(/until another \d+ MiB are free/) },
  ]);
  expect(await until(async () => server.stderr().includes("too full"), 5000)).toBe(true);
  expect(freeBytes(disk.path)).toBeGreaterThan(before - 2 * MIB);
}, 30_000);

test("a server on a completely full disk starts from its ballast", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  const token = await mintKey(folder);
  let id = "";
  {
    await using server = await startIn(folder);
    ({ id } = await jsonOf(apiOf(server.url, token).create("one")));
    server.kill("SIGTERM");
    expect(await server.exited).toBe(0);
  }
  fillDisk(join(disk.path, "filler"), 0);
  await using server = await startIn(folder);
  const api = apiOf(server.url, token);
  expect(await jsonOf(api.claim(id))).toMatchObject({ envelope: { ciphertext: "one" } });
  await expectStorageRefusal(await api.create("two"));
}, 30_000);

test("restarts on a full disk use up no room, whether the server was stopped or killed", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  const token = await mintKey(folder);
  const ids: string[] = [];
  {
    await using server = await startIn(folder);
    const api = apiOf(server.url, token);
    for (let n = 0; n < RESTARTS; n++) ids.push((await jsonOf(api.create(`secret-${n}`))).id);
    fillDisk(join(disk.path, "filler"), 0);
    await createUntilRefused(api, LARGE);
  }
  const before = freeBytes(disk.path);
  for (const [n, id] of ids.entries()) {
    await using server = await startIn(folder);
    expect((await apiOf(server.url, token).claim(id)).status).toBe(200);
    await expectStorageRefusal(await apiOf(server.url, token).create("small"));
    server.kill(n % 2 === 0 ? "SIGTERM" : "SIGKILL");
    await server.exited;
  }
  expect(freeBytes(disk.path)).toBeGreaterThan(before - MIB);
}, 60_000);

test("a ciphertext claimed on a full disk soon leaves all files, even after a kill of the server", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  const created = new Map<string, string>();
  const token = await mintKey(folder);
  {
    await using server = await startIn(folder);
    const api = apiOf(server.url, token);
    for (let n = 0; n < 300; n++) {
      const ciphertext = `marked-${n}-`.padEnd(n % 30 === 0 ? LARGE / 8 : 1000, "x");
      created.set((await jsonOf(api.create(ciphertext))).id, ciphertext);
    }
    fillDisk(join(disk.path, "filler"), 0);
    await createUntilRefused(api, LARGE);
    const first = [...created].slice(0, 150);
    await expectClaimable(api, new Map(first));
    for (const [id] of first) created.delete(id);
    server.kill("SIGKILL");
    await server.exited;
  }
  await using server = await startIn(folder);
  expect(await until(async () => findMarkers(folder).size === created.size, 5000)).toBe(true);
  expect([...findMarkers(folder)].toSorted()).toEqual([...created.values()].map(markerOf).toSorted());
  await expectClaimable(apiOf(server.url, token), created);
  expect(await until(async () => findMarkers(folder).size === 0, 5000)).toBe(true);
}, 60_000);

const MARKER = /marked-\d+-/g;
const markerOf = (ciphertext: string) => ciphertext.match(MARKER)?.[0] ?? "";

/** The beginnings of the ciphertexts in the files of the database. */
function findMarkers(folder: string): Set<string> {
  const files = ["handoff.db", "handoff.db-wal"].map((name) => readFileSync(join(folder, name), "latin1"));
  return new Set(files.flatMap((content) => content.match(MARKER) ?? []));
}

test("many large secrets claimed at once on a full disk are all handed out", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  await using server = await startIn(folder);
  const api = apiOf(server.url, await mintKey(folder));
  const { created } = await createUntilRefused(api, LARGE);
  fillDisk(join(disk.path, "filler"), 4 * MIB);
  const answers = await Promise.all([...created.keys()].map((id) => api.claim(id)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
}, 60_000);

test("health says that claims go on only while there is room for them", async () => {
  using disk = mountTmpfs("64m");
  const folder = join(disk.path, "data");
  const token = await mintKey(folder);
  await using server = await startIn(folder);
  const troubles = async () => (await jsonOf(fetch(`${server.url}/health/ready`))).troubles;
  const says = (end: string) => [{ code: "no_room", message: expect.stringContaining(`MiB are free. ${end}`) }];
  expect(await troubles()).toEqual([]);
  fillDisk(join(disk.path, "filler"), 0);
  await createUntilRefused(apiOf(server.url, token), LARGE);
  expect(await troubles()).toMatchObject(says("Claims go on in the room that was held back for them."));
  fillDisk(join(disk.path, "neighbour"), 0);
  expect(await troubles()).toMatchObject(
    says("Claims can fail too, because the room that was held back for them has been used up."),
  );
  rmSync(join(disk.path, "neighbour"));
  rmSync(join(disk.path, "filler"));
  expect(await until(async () => (await troubles()).length === 0, 10_000)).toBe(true);
}, 30_000);
