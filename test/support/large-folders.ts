import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BlobStore } from "../../src/domain/ports/uploads.ts";
import { writeWholeBackup } from "../../src/store/copies/folder-backups.ts";
import { DAY, OPERATOR } from "./stores.ts";
import { largeAgeFile, openUploads } from "./uploads.ts";

export const TOMBSTONES = { tombstoneSeconds: 30 * 86_400 };

/** A data folder beside which ciphertexts of large secrets can be put. */
export async function openLargeFolder() {
  const uploads = await openUploads();
  const { folder, place } = uploads;
  const blobs = join(folder, "blobs");
  mkdirSync(blobs);
  /** Adds a large secret with a file of `bytes`. Returns both. */
  const add = async (bytes: number, change: Parameters<typeof uploads.addLarge>[1] = {}) => {
    const upload = await uploads.addUpload({ bytes });
    const file = largeAgeFile(bytes);
    writeFileSync(join(blobs, upload.id), file);
    const secret = await uploads.addLarge(upload, { expiresAt: place.clock.now() + 2 * DAY, ...change });
    return { secret, file, path: join(blobs, upload.id) };
  };
  const path = join(folder, "whole.backup");
  return {
    ...uploads,
    add,
    path,
    backUp: (over?: BlobStore) => writeWholeBackup(folder, path, { takenAt: place.time.now(), hasSecrets: true }, over),
  };
}
export type LargeFolder = Awaited<ReturnType<typeof openLargeFolder>>;

/** The data folder into which its backup is restored. */
export const targetIn = ({ folder }: Pick<LargeFolder, "folder">) => join(folder, "restored");

/** The options of a restore of its backup. */
export function restoring(from: Pick<LargeFolder, "place" | "path" | "folder">, keepSecrets = true) {
  const { place, path } = from;
  const { clock, ids } = place;
  const write = async (to: string) => copyFileSync(path, to);
  const how = { write, given: path, keepSecrets, operator: OPERATOR, clock, ids, ...TOMBSTONES };
  return { folder: targetIn(from), ...how };
}
