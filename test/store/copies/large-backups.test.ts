import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { SecretRecord } from "../../../src/domain/ports/secrets.ts";
import type { BlobStore } from "../../../src/domain/ports/uploads.ts";
import { openFolderBlobs } from "../../../src/store/blobs/folder-blobs.ts";
import { breakSeal, seal } from "../../../src/store/copies/backup-files.ts";
import { writeBackup } from "../../../src/store/copies/folder-backups.ts";
import { restoreBackup } from "../../../src/store/copies/folder-restores.ts";
import { PIECE_BYTES } from "../../../src/store/copies/large-pieces.ts";
import { openStore } from "../../../src/store/sqlite/assembly/store.ts";
import { errorOf } from "../../support/clients.ts";
import { messageOf } from "../../support/filled-stores.ts";
import { openLargeFolder, restoring, targetIn, TOMBSTONES } from "../../support/large-folders.ts";
import type { LargeFolder } from "../../support/large-folders.ts";
import { mountTmpfs } from "../../support/mounts.ts";
import { recountStoredBytes } from "../../support/sqlite-files.ts";
import { addSecret, callOf } from "../../support/stores.ts";

const MIB = 1024 * 1024;
/** Restores the backup, and opens the store over what it has made. */
async function restore(from: LargeFolder, keepSecrets = true) {
  const { folder, ...options } = restoring(from, keepSecrets);
  const restored = await restoreBackup({ ...options, folder });
  const { clock, ids } = options;
  const store = openStore({ folder, clock, ids, ballastBytes: 0, ...TOMBSTONES });
  const files = () => (readdirSync(folder).includes("blobs") ? readdirSync(join(folder, "blobs")) : []);
  return { ...restored, folder, store, files, [Symbol.asyncDispose]: () => store.close() };
}

/** What is in the file of a large secret of a restored folder; undefined without one. */
async function fileOf({ store, folder }: Awaited<ReturnType<typeof restore>>, { id }: SecretRecord) {
  const upload = await store.findUploadOf(id);
  if (!upload) return undefined;
  const blob = await openFolderBlobs(join(folder, "blobs"), 0).read(upload.id, upload.bytes);
  return blob instanceof Blob ? await blob.bytes() : undefined;
}

test("a backup with secrets has large secrets, and a restore that keeps secrets hands them out", async () => {
  await using from = await openLargeFolder();
  const { teamId, place } = from;
  // Pieces that are whole, one more byte, and less than one.
  const all = [await from.add(2 * PIECE_BYTES), await from.add(2 * PIECE_BYTES + 1), await from.add(1000)];
  const claimed = await from.add(MIB);
  await from.claimLarge(claimed.secret, "one");
  const over = await from.add(MIB, { expiresAt: place.clock.now() + 1000 });
  await from.addUpload();
  const { large, counts } = await from.backUp();
  const bytes = 4 * PIECE_BYTES + 1 + 1000;
  expect({ large, counts: counts.secrets }).toEqual({
    large: { secrets: 5, bytes: bytes + 2 * MIB, damaged: [], unreached: 0 },
    counts: 5,
  });
  place.time.advance(1000);
  await using restored = await restore(from);
  expect([restored.ended.secrets, restored.large]).toEqual([0, { secrets: 4, bytes: bytes + MIB }]);
  for (const { secret, file } of [...all, claimed]) {
    expect(Buffer.from(file).equals((await fileOf(restored, secret)) ?? new Uint8Array())).toBe(true);
    expect((await restored.store.findSecret(teamId, secret.id))?.state).toBe(
      secret === claimed.secret ? "claimed" : "available",
    );
  }
  // What was being downloaded is gone on with.
  const { digest } = callOf("one");
  const upload = await restored.store.findUploadOf(claimed.secret.id);
  const until = place.clock.now() + 1;
  expect(await restored.store.goOnDownloading(claimed.secret.id, digest, until)).toBe(upload?.id);
  const kept = [...(await restored.store.keptUploads())];
  expect(kept.toSorted()).toEqual(restored.files().toSorted());
  expect(await fileOf(restored, over.secret)).toBeUndefined();
  const modes = ["blobs", ...restored.files().map((name) => join("blobs", name))].map(
    (name) => statSync(join(restored.folder, name)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600, 0o600, 0o600, 0o600]);
  const { storedBytes } = await restored.store.findTeamUsage(teamId);
  expect(storedBytes).toBeGreaterThan(bytes);
  expect(storedBytes).toBe(recountStoredBytes(restored.folder));
});

test.if(process.getuid?.() === 0)("files of large secrets belong to the owner of the data folder", async () => {
  await using from = await openLargeFolder();
  await from.add(MIB);
  await from.backUp();
  const target = targetIn(from);
  mkdirSync(target, { mode: 0o700 });
  chownSync(target, 12345, 12346);
  await restoreBackup(restoring(from));
  const owned = ["handoff.db", "blobs", ...readdirSync(join(target, "blobs")).map((name) => join("blobs", name))];
  expect(owned).toHaveLength(3);
  for (const name of owned) expect(statSync(join(target, name))).toMatchObject({ uid: 12345, gid: 12346 });
});

test("a restore takes no file that a killed one has left, and a server erases that", async () => {
  await using from = await openLargeFolder();
  const { file, secret } = await from.add(MIB);
  await from.backUp();
  const left = `upl_${"0".repeat(26)}`;
  mkdirSync(join(targetIn(from), "blobs"), { recursive: true, mode: 0o700 });
  writeFileSync(join(targetIn(from), "blobs", left), "left");
  await using restored = await restore(from);
  expect(restored.files()).toHaveLength(2);
  const blobs = openFolderBlobs(join(restored.folder, "blobs"), 0);
  await blobs.eraseOthers(() => restored.store.keptUploads(), new AbortController().signal);
  expect(restored.files()).not.toContain(left);
  expect(await fileOf(restored, secret)).toEqual(file);
});

test("a restore that keeps nothing writes no file of a large secret", async () => {
  await using from = await openLargeFolder();
  await from.add(MIB);
  await from.backUp();
  await using restored = await restore(from, false);
  expect([restored.ended.secrets, restored.large.secrets, restored.files()]).toEqual([1, 0, []]);
});

test("a backup of the former format has no large secrets: they are revoked", async () => {
  await using from = await openLargeFolder();
  const { secret } = await from.add(MIB);
  writeBackup(from.folder, from.path, { takenAt: from.place.time.now(), hasSecrets: true });
  await using restored = await restore(from);
  expect([restored.ended.secrets, restored.large.secrets, restored.files()]).toEqual([1, 0, []]);
  expect((await restored.store.findSecret(from.teamId, secret.id))?.state).toBe("revoked");
});

test("what is erased while a backup reads it is in the backup with no byte", async () => {
  await using from = await openLargeFolder();
  const { folder, teamId, place } = from;
  const blobs = openFolderBlobs(join(folder, "blobs"), 0);
  const [first, erased, gone, last] = [
    await from.add(MIB),
    await from.add(5 * MIB),
    await from.add(MIB),
    await from.add(MIB),
  ];
  const read: BlobStore["read"] = async (id, bytes) => {
    const blob = await blobs.read(id, bytes);
    for (const { secret, path } of [erased, gone]) {
      if (!path.endsWith(id)) continue;
      await place.store.revokeSecret(teamId, secret.id, null);
      if (secret === gone.secret) rmSync(path);
    }
    return blob;
  };
  const { large } = await from.backUp({ ...blobs, read });
  expect(large).toEqual({ secrets: 2, bytes: 2 * MIB, damaged: [], unreached: 0 });
  const backup = readFileSync(from.path);
  const has = ({ file }: typeof first) => backup.includes(Buffer.from(file.subarray(100_000, 100_100)));
  expect([first, erased, gone, last].map(has)).toEqual([true, false, false, true]);
  // Its row is as it was when the backup began.
  await using restored = await restore(from);
  expect([restored.ended.secrets, restored.large.secrets]).toEqual([2, 2]);
});

test("a backup leaves out what is damaged, and says so", async () => {
  await using from = await openLargeFolder();
  const [cut, lost, good] = [await from.add(5 * MIB), await from.add(MIB), await from.add(MIB)];
  truncateSync(cut.path, 4 * MIB);
  rmSync(lost.path);
  const { large } = await from.backUp();
  expect(large).toEqual({ secrets: 1, bytes: MIB, damaged: [cut.secret.id, lost.secret.id], unreached: 0 });
  await using restored = await restore(from);
  expect(await fileOf(restored, good.secret)).toEqual(good.file);
  expect(restored.ended.secrets).toBe(2);
});

test("no backup is made while a file can't be read", async () => {
  await using from = await openLargeFolder();
  const { secret } = await from.add(MIB);
  const blobs = openFolderBlobs(join(from.folder, "blobs"), 0);
  const read = () => Promise.reject(Object.assign(new Error("fake"), { code: "EIO" }));
  expect(await messageOf(from.backUp({ ...blobs, read }))).toContain(`${secret.id} can't be read (EIO). No backup`);
});

const HOSTILE: readonly (readonly [string, string, string])[] = [
  ["lacks a piece", "isn't complete", "DELETE FROM large_pieces WHERE id = 2"],
  ["has an empty piece", "isn't complete", "UPDATE large_pieces SET bytes = '' WHERE id = 2"],
  ["has a short piece", "isn't complete", "UPDATE large_pieces SET bytes = substr(bytes, 2) WHERE id = 1"],
  ["has a long piece", "isn't complete", "UPDATE large_pieces SET bytes = bytes || x'00' WHERE id = 2"],
  ["has a text as a piece", "isn't complete", "UPDATE large_pieces SET bytes = 'x' WHERE id = 3"],
  ["has another length", "isn't complete", "UPDATE secrets SET ciphertext_bytes = 1e12 WHERE envelope_version = 2"],
  ["has pieces in another order", "of no large secret", "UPDATE large_ciphertexts SET first_piece = 4 - first_piece"],
  ["has a text as a number", "of no large secret", "UPDATE large_ciphertexts SET first_piece = 'x'"],
  ["has another piece", "pieces of no large secret", "INSERT INTO large_pieces VALUES (100, x'00')"],
  [
    "has pieces for a small secret",
    "of no large secret",
    "UPDATE secrets SET envelope_version = 1 WHERE envelope_version = 2",
  ],
  ["has pieces for what has ended", "of no large secret", "UPDATE secrets SET state = 'revoked'"],
  ["has pieces for nobody", "of no large secret", "INSERT INTO large_ciphertexts VALUES (-5, 1)"],
  ["isn't encrypted", "isn't encrypted", "UPDATE large_pieces SET bytes = zeroblob(length(bytes))"],
  ["has a wrong table", "'large_pieces' is not the table", "ALTER TABLE large_pieces ADD COLUMN more"],
  ["lacks a table", "'large_pieces' is not the table", "DROP TABLE large_pieces"],
];

for (const [what, message, change] of HOSTILE) {
  test(`a backup that somebody has changed, and that ${what}, is refused, and nothing is left behind`, async () => {
    await using from = await openLargeFolder();
    await addSecret(from.place, from.teamId);
    await from.add(PIECE_BYTES + MIB);
    await from.add(MIB);
    await from.backUp();
    breakSeal(from.path);
    using database = new Database(from.path);
    database.run(change);
    database.close();
    seal(from.path);
    expect(await messageOf(restoreBackup(restoring(from)))).toContain(message);
    expect(readdirSync(targetIn(from))).toEqual([]);
  });
}

test("a restore without room for large secrets says how much they take, and leaves nothing behind", async () => {
  await using from = await openLargeFolder();
  await from.add(12 * MIB);
  await from.backUp();
  using disk = mountTmpfs("20m");
  const folder = join(disk.path, "data");
  const message = await messageOf(restoreBackup({ ...restoring(from), folder }));
  expect(message).toMatch(/take 12 MiB more, and \d MiB are free on the file system of '.*\/data'/);
  expect(readdirSync(folder)).toEqual([]);
});

test("a restore that fails at its end leaves no file of a large secret behind", async () => {
  await using from = await openLargeFolder();
  await from.add(MIB);
  await from.backUp();
  const target = targetIn(from);
  const write = async (to: string) => {
    copyFileSync(from.path, to);
    // The database can't get its name.
    mkdirSync(join(target, "handoff.db/full"), { recursive: true });
  };
  expect(await errorOf(restoreBackup({ ...restoring(from), write }))).toMatchObject({ code: "EISDIR" });
  expect(readdirSync(join(target, "blobs"))).toEqual([]);
  expect(readdirSync(target).toSorted()).toEqual(["blobs", "handoff.db"]);
});
