import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runExecutable } from "../support/executions.ts";
import { randomBytes } from "../support/large-places.ts";
import { keysIn, startFaultyStore, startObjectStore } from "../support/object-stores.ts";
import { until } from "../support/polls.ts";
import { urlOf } from "../support/postgres-urls.ts";
import { startProgram } from "../support/running.ts";
import { sharedPostgres } from "../support/shared-postgres.ts";
import { temporaryFolder } from "../support/temporary.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());
const moto = await startObjectStore();
afterAll(() => moto[Symbol.asyncDispose]());

const MIB = 1024 * 1024;
const SCOPES = ["secrets:create", "secrets:read", "secrets:claim", "secrets:revoke"].flatMap((each) => [
  "--scope",
  each,
]);

/** A server on a PostgreSQL and an object store, which can be made to fail, with the environment of a user of it. */
async function setUp(name: string) {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(temporaryFolder()).path;
  const bucket = await moto.makeBucket(name);
  const store = starting.use(startFaultyStore(bucket));
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, `${bucket.accessKeyId}:${bucket.secretAccessKey}`, { mode: 0o600 });
  const env = {
    HANDOFF_DATABASE_URL: urlOf(await cluster.makeDatabase()),
    HANDOFF_OBJECT_STORE: `${store.options.endpoint}/${name}/some/folder`,
    HANDOFF_OBJECT_STORE_KEY_FILE: keyFile,
  };
  const admin = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await runExecutable(["admin", ...args], env);
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  await admin("team", "create", "team", "--yes");
  const token = await admin("key", "create", "--team", "team", "--identity", "test", ...SCOPES);
  const server = starting.use(await startProgram(["serve", "--listen", "127.0.0.1:0"], env, folder));
  const user = { HANDOFF_URL: server.url, HANDOFF_API_KEY: token, HOME: folder };
  const all = starting.move();
  return {
    store,
    server,
    env,
    folder,
    run: (...args: readonly string[]) => runExecutable(args, user, folder),
    keys: () => keysIn(bucket),
    ready: async () => (await fetch(`${server.url}/health/ready`)).json(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

test("a file of 20 MiB goes through the object store, of which nothing is left", async () => {
  await using place = await setUp("handover");
  const { folder } = place;
  const file = join(folder, "large.bin");
  for (let at = 0; at < 20 * MIB; at += 65_536) {
    writeFileSync(file, crypto.getRandomValues(new Uint8Array(65_536)), { flag: "a" });
  }
  const sent = await place.run("send", "large.bin");
  expect(sent.exitCode, sent.stderr).toBe(0);
  const keys = await place.keys();
  expect(keys.length).toBeGreaterThan(2);
  expect(keys.every((key) => /^some\/folder\/\w+\/upl_\w{26}\/\d{14}-[\w-]{36}$/.test(key))).toBe(true);
  const checked = await runExecutable(["admin", "check", "--json"], place.env);
  const findings = JSON.parse(checked.stdout) as { check: string; level: string }[];
  expect(
    findings.filter(({ check }) => /^(object store|large secrets)$/.test(check)).map(({ level }) => level),
  ).toEqual(["ok", "ok"]);
  const opened = await place.run("open", "--yes", "--output", "got", sent.stdout.trim());
  expect(opened.exitCode, opened.stderr).toBe(0);
  expect(readFileSync(join(folder, "got/large.bin")).equals(readFileSync(file))).toBe(true);
  await until(async () => (await place.keys()).length === 0);
  expect(place.server.stderr()).not.toContain("fake-local-test-only");
});

test("large secrets go into a backup, a data folder, and by a move into an object store again", async () => {
  await using place = await setUp("backups");
  const { env, folder } = place;
  const { HANDOFF_DATABASE_URL: url, HANDOFF_OBJECT_STORE: store, HANDOFF_OBJECT_STORE_KEY_FILE: keyFile } = env;
  const content = randomBytes(20 * MIB);
  writeFileSync(join(folder, "large.bin"), content);
  const { stdout: link } = await place.run("send", "large.bin");
  const admin = (args: readonly string[], own: Record<string, string> = {}) =>
    runExecutable(["admin", ...args], { HOME: folder, ...own }, folder);
  const without = await admin(["backup", "without.backup", "--with-secrets"], { HANDOFF_DATABASE_URL: url });
  expect(without.stderr).toContain("the backup doesn't have the content of 1 large secret: name the object store with");
  const backup = await admin(["backup", "whole.backup", "--with-secrets"], env);
  expect(backup).toMatchObject({ exitCode: 0 });
  expect(backup.stderr).toContain("secrets 1, requests 0, large secrets 1 (20.0 MiB).\n");

  const restored = await admin(["restore", "whole.backup", "--keep-secrets", "--data-dir", "data"]);
  expect(restored.stderr).toContain("large secrets 1 (20.0 MiB).\n");
  const target = urlOf(await cluster.makeDatabase());
  const move = ["move", "--to", target, "--data-dir", "data", "--yes", "--json"];
  const refused = await admin(move);
  expect(refused.stderr).toContain("Name an object store for them with --object-store and --object-store-key-file.");
  expect((await admin([...move, "--object-store", store])).stderr).toContain("go together: give both of them");
  const moved = await admin([...move, "--object-store", store, "--object-store-key-file", keyFile]);
  expect({ ...moved, stdout: "" }).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(moved.stdout)).toMatchObject({ secrets: 1, large_secrets: 1, large_bytes: expect.any(Number) });
  const before = (await place.keys()).length;
  const undo = ["move", "--undo", "--data-dir", "data", "--yes"];
  expect((await admin(undo)).stderr).toContain("Name it with --object-store and --object-store-key-file, and they are");
  const elsewhere = await admin([...undo, "--object-store", `${store}/else`, "--object-store-key-file", keyFile]);
  expect(elsewhere.stderr).toContain(
    `The ciphertexts of large secrets aren't in '${store}/else'. Nothing was changed. Name the object store that the`,
  );
  const undone = await admin([...undo, "--object-store", store, "--object-store-key-file", keyFile]);
  expect(undone).toMatchObject({ exitCode: 0 });
  const objects = (await place.keys()).length;
  expect(objects).toBeLessThan(before);
  expect(objects).toBeGreaterThan(0);

  const next = urlOf(await cluster.makeDatabase());
  const again = ["move", "--to", next, "--data-dir", "data", "--yes"];
  expect(await admin([...again, "--object-store", store, "--object-store-key-file", keyFile])).toMatchObject({
    exitCode: 0,
  });
  const there = { ...env, HANDOFF_DATABASE_URL: next };
  await using server = await startProgram(["serve", "--listen", "127.0.0.1:0"], there, folder);
  const opened = await runExecutable(
    ["open", "--yes", "--output", "got", link.trim().replace(/^http:\/\/[^/]+/, server.url)],
    { HOME: folder },
    folder,
  );
  expect(opened.exitCode, opened.stderr).toBe(0);
  expect(readFileSync(join(folder, "got/large.bin")).equals(content)).toBe(true);

  const bare = await admin(["restore", "whole.backup", "--keep-secrets"], {
    HANDOFF_DATABASE_URL: urlOf(await cluster.makeDatabase()),
  });
  expect(bare.stderr).toContain("Only 1 large secret was revoked: there is no object store to put it into.");
}, 120_000);

test("a server starts without its object store, and says so", async () => {
  const bucket = { endpoint: "http://127.0.0.1:1" };
  await using place = await setUp("away");
  expect(await place.ready()).toEqual({ status: "ready", troubles: [] });
  expect(place.server.stderr()).toContain(`"object_store":"${place.env.HANDOFF_OBJECT_STORE}"`);
  const away = { ...place.env, HANDOFF_OBJECT_STORE: `${bucket.endpoint}/away` };
  await using other = await startProgram(["serve", "--listen", "127.0.0.1:0"], away, place.folder);
  const ready = async () =>
    (await fetch(`${other.url}/health/ready`)).json() as Promise<{ status: string; troubles: { code: string }[] }>;
  await until(async () => (await ready()).troubles.length > 0);
  expect(await ready()).toMatchObject({ status: "ready", troubles: [{ code: "object_store_failing" }] });
  await until(() => other.stderr().includes('"trouble":"object_store_failing","code":"ECONNREFUSED"'));
});
