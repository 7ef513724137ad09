import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkStorage } from "../../../src/cli/checks/storage-checks.ts";
import { append } from "../../support/blobs.ts";
import { fillFolder } from "../../support/filled-stores.ts";
import { inDatabase } from "../../support/sqlite-files.ts";
import { openUploads } from "../../support/uploads.ts";

test("foreign tables and triggers in the database are reported, and foreign indexes aren't", async () => {
  using filled = await fillFolder();
  const warnings = async () =>
    (await checkStorage(filled.folder, filled.time.now())).findings.filter(({ check }) => check === "schema");
  inDatabase(filled.folder, (database) => database.run("CREATE INDEX mine ON secrets (created_at)"));
  expect(await warnings()).toEqual([]);
  inDatabase(filled.folder, (database) => {
    database.run('CREATE TABLE "ke\u001bpt" (body)');
    database.run("CREATE TRIGGER steal BEFORE DELETE ON ciphertexts BEGIN SELECT 1; END");
  });
  expect(await warnings()).toEqual([
    {
      level: "warning",
      check: "schema",
      text: expect.stringContaining("make: table 'ke\uFFFDpt', and 1 more. It can"),
    },
  ]);
});

test("a key that was sent in a query string is reported, until it is revoked", async () => {
  using filled = await fillFolder();
  const exposed = async () =>
    (await checkStorage(filled.folder, filled.time.now())).findings.filter(({ check }) => check === "exposed key");
  const [found, ...more] = await exposed();
  expect(more).toEqual([]);
  expect(found?.level).toBe("warning");
  expect(found?.text).toMatch(
    /^The key (key_\w+) of '.+' was sent in a query string, .* Run: handoff admin key rotate \1$/,
  );
  inDatabase(filled.folder, (database) => database.run("UPDATE api_keys SET revoked_at = 1 WHERE exposed_at > 0"));
  expect(await exposed()).toEqual([]);
});

test("a large secret whose file is missing, or has another length, is reported, and no other", async () => {
  await using open = await openUploads();
  const { folder, place, teamId } = open;
  const found = async () =>
    (await checkStorage(folder, place.clock.now())).findings.flatMap(({ check, level, text }) =>
      check === "large secrets" ? [`${level}: ${text}`] : [],
    );
  expect(await found()).toEqual([]);
  const uploads = await Promise.all(Array.from({ length: 3 }, () => open.addUpload({ bytes: 4 })));
  // Its file isn't complete yet.
  await open.addUpload();
  const secrets = [];
  for (const upload of uploads) {
    await append(open.blobs(), upload.id, 0, piecesOf("text"));
    secrets.push(await open.addLarge(upload));
  }
  expect(await found()).toEqual([expect.stringMatching(/^ok: Every large secret has its file in '.*blobs'\.$/)]);
  const [missing, longer] = uploads;
  rmSync(join(folder, "blobs", missing?.id ?? ""));
  await append(open.blobs(), longer?.id ?? "", 4, piecesOf("s"));
  const [first, second] = secrets;
  expect(await found()).toEqual([expect.stringContaining(`as they were: ${first?.id}, ${second?.id}. Put them back`)]);
  for (const secret of [first, second]) await place.store.revokeSecret(teamId, secret?.id ?? "", null);
  expect(await found()).toEqual([expect.stringMatching(/^ok: /)]);
});

test("files of large secrets that the server's user can't use are reported", async () => {
  await using open = await openUploads();
  const { id } = await open.addUpload({ bytes: 4 });
  await append(open.blobs(), id, 0, piecesOf("text"));
  const ofFolder = async () => {
    const { findings } = await checkStorage(open.folder, open.place.clock.now());
    return findings.find(({ check }) => check === "data folder")?.text;
  };
  expect(await ofFolder()).toEndWith("is for its owner alone.");
  chownSync(join(open.folder, "blobs", id), 12345, 12345);
  expect(await ofFolder()).toMatch(/upl_\w+' belongs to 12345, .* the server can't use large secrets\. Run: chown -R/);
  const path = join(open.folder, "blobs", id);
  chownSync(path, 0, 0);
  chmodSync(path, 0);
  expect(await ofFolder()).toMatch(/upl_\w+' can't be read and written by its owner, .* Run: chmod 600 /);
  rmSync(path);
  mkdirSync(path);
  expect(await ofFolder()).toMatch(/upl_\w+' has the name of a large secret's file, and is something else\./);
  rmdirSync(path);
  mkdirSync(join(open.folder, "blobs", "notes"));
  expect(await ofFolder()).toEndWith("is for its owner alone.");
});

async function* piecesOf(content: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(content);
}
