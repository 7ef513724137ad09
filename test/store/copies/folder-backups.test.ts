import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { writeBackup } from "../../../src/store/copies/folder-backups.ts";
import { fillFolder } from "../../support/filled-stores.ts";
import { hashOf } from "../../support/stores.ts";

test("a backup without secrets has no ciphertexts, no notes of requests, and no tokens for signing in", async () => {
  using source = await fillFolder();
  const { waiting, asked } = source.filled;
  const secret = [`text-of-${waiting}`, `note-of-${asked}`, hashOf("session")];
  for (const hasSecrets of [true, false]) {
    const path = `${source.folder}-${hasSecrets}.backup`;
    writeBackup(source.folder, path, { takenAt: source.time.now(), hasSecrets });
    const bytes = readFileSync(path);
    expect(secret.map((each) => bytes.includes(each))).toEqual(secret.map(() => hasSecrets));
    expect(bytes.includes(asked)).toBe(true);
  }
});
