import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { breakSeal, seal } from "../../../src/store/copies/backup-files.ts";
import { writeBackup } from "../../../src/store/copies/folder-backups.ts";
import { restoreBackup } from "../../../src/store/copies/folder-restores.ts";
import { openStore } from "../../../src/store/sqlite/assembly/store.ts";
import { recountStoredBytes } from "../../support/sqlite-files.ts";
import { addSecret, claim, DAY, OPERATOR, toldOf } from "../../support/stores.ts";
import { openUploads } from "../../support/uploads.ts";

/** Uploads and large secrets in every state, and a small secret that is open. */
async function fill() {
  const open = await openUploads();
  const { place, teamId } = open;
  const upload = await open.addUpload();
  const large = await open.addLarge(undefined, { expiresAt: place.clock.now() + 2 * DAY });
  const overdue = await open.addLarge();
  const opened = await open.addLarge();
  await open.claimLarge(opened, "one");
  const small = await addSecret(place, teamId, { expiresAt: place.clock.now() + 2 * DAY });
  const pathOf = (name: string) => join(open.folder, name);
  return { ...open, upload, large, overdue, opened, small, pathOf };
}

/** Backs up, lets `change` work on the database of the backup, and restores it a day later. Returns the data folder. */
async function restore(
  { folder, place, pathOf }: Awaited<ReturnType<typeof fill>>,
  keepSecrets: boolean,
  change?: (folder: string) => void,
) {
  const path = pathOf(`handoff.db${change ? "-changed" : ""}-${keepSecrets}.backup`);
  writeBackup(folder, path, { takenAt: place.time.now(), hasSecrets: true });
  if (change) {
    breakSeal(path);
    change(path);
    seal(path);
  }
  const { clock, ids } = place;
  place.time.advance(DAY);
  const target = pathOf(`restored-${keepSecrets}`);
  const { ended } = await restoreBackup({
    folder: target,
    write: async (to) => copyFileSync(path, to),
    given: path,
    keepSecrets,
    tombstoneSeconds: 30 * 86_400,
    operator: OPERATOR,
    clock,
    ids,
  });
  const store = openStore({ folder: target, clock, ids, tombstoneSeconds: 30 * 86_400, ballastBytes: 0 });
  return { path, target, ended, store, clock, ids, [Symbol.asyncDispose]: () => store.close() };
}

test("no backup has uploads, nor what leads to the file of a large secret", async () => {
  await using filled = await fill();
  const { folder, place, pathOf, large, small } = filled;
  for (const hasSecrets of [true, false]) {
    const path = pathOf(`${hasSecrets}.backup`);
    writeBackup(folder, path, { takenAt: place.time.now(), hasSecrets });
    const bytes = readFileSync(path);
    expect([bytes.includes("upl_"), bytes.includes(large.id)]).toEqual([false, true]);
    expect(bytes.includes(`text-of-${small.id}`)).toBe(hasSecrets);
  }
});

test("a restore that keeps secrets revokes large ones, whose files aren't there, and charges nothing for them", async () => {
  await using filled = await fill();
  const { teamId, large, overdue, opened, small } = filled;
  await using restored = await restore(filled, true);
  const { store, ended, target } = restored;
  expect(ended).toEqual({ secrets: 1, requests: 0 });
  const stateOf = async (id: string) => (await store.findSecret(teamId, id))?.state;
  expect(await Promise.all([large, overdue, opened, small].map(({ id }) => stateOf(id)))).toEqual([
    "revoked",
    "expired",
    "claimed",
    "available",
  ]);
  expect(await toldOf(restored, teamId)).toContain(`secret.revoked ${large.id}`);
  expect([...(await store.keptUploads())]).toEqual([]);
  expect(await claim(restored, small)).toMatchObject({ kind: "claimed", ciphertext: `text-of-${small.id}` });
  const { storedBytes } = await store.findTeamUsage(teamId);
  expect(storedBytes).toBeLessThan(20_000);
  expect(storedBytes).toBe(recountStoredBytes(target));
});

test("a restore that keeps nothing revokes large secrets too", async () => {
  await using filled = await fill();
  await using restored = await restore(filled, false);
  expect(restored.ended).toEqual({ secrets: 2, requests: 0 });
  expect([...(await restored.store.keptUploads())]).toEqual([]);
});

test("a restore takes no upload, and no way to a file, from a backup that somebody has changed", async () => {
  await using filled = await fill();
  const { teamId, large } = filled;
  await using restored = await restore(filled, true, (path) =>
    inFile(path, [
      `INSERT INTO uploads (id, team_id, created_by, bytes, offset, created_at, expires_at, secret_id) VALUES ('upl_${"0".repeat(26)}', '${teamId}', 'idn_1', 5, 5, 0, 9000000000000, '${large.id}')`,
      `INSERT INTO ciphertexts SELECT seq, zeroblob(512), '../handoff.db', zeroblob(4000) FROM secrets
        WHERE id = '${large.id}'`,
    ]),
  );
  expect([...(await restored.store.keptUploads())]).toEqual([]);
  expect(await restored.store.findSecret(teamId, large.id)).toMatchObject({ state: "revoked" });
});

/** Runs statements in a database file. */
function inFile(path: string, statements: readonly string[]): void {
  using database = new Database(path);
  for (const statement of statements) database.run(statement);
}
