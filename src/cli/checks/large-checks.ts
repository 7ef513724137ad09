import { lstatSync } from "node:fs";
import { join } from "node:path";
import { inspectLarge } from "../../store/copies/inspections.ts";
import type { InspectedLarge } from "../../store/copies/inspections.ts";
import { BLOBS_FOLDER } from "../../store/sqlite/files/data-folder.ts";
import { failed, fine } from "./findings.ts";
import type { Finding } from "./findings.ts";

/** The number of secrets that a finding names. */
const MOST_NAMES = 3;

/**
 * Reports large secrets of the database `path` in `folder` whose files are missing or have another length; nothing when
 * there is no large secret. Throws SQLiteError.
 */
export function checkLargeSecrets(folder: string, path: string): Finding[] {
  const blobs = join(folder, BLOBS_FOLDER);
  const all = inspectLarge(path);
  if (all.length === 0) return [];
  const suspects = new Set(all.filter((secret) => !hasFile(blobs, secret)).map(({ id }) => id));
  // One that was opened and erased meanwhile has no ciphertext any more.
  const lost = suspects.size === 0 ? [] : inspectLarge(path).filter(({ id }) => suspects.has(id));
  if (lost.length === 0) return [fine("large secrets", `Every large secret has its file in '${blobs}'.`)];
  const names = nameLost(lost.map(({ id }) => id));
  return [
    failed(
      "large secrets",
      `The files of large secrets in '${blobs}' are missing, or aren't as long as they were: ${names}`,
    ),
  ];
}

/** Names some of these secrets, whose ciphertexts are lost, and says what to do. */
export function nameLost(ids: readonly string[]): string {
  const more = ids.length > MOST_NAMES ? `, and ${ids.length - MOST_NAMES} more` : "";
  const names = ids.slice(0, MOST_NAMES).join(", ") + more;
  const forEach = ids.length > 1 ? " for each" : "";
  return `${names}. Put them back if you have them. If not, run${forEach}: handoff admin secret revoke ${ids[0] ?? ""}`;
}

/** True when the file of a large secret is as long as its ciphertext. */
function hasFile(blobs: string, { uploadId, bytes }: InspectedLarge): boolean {
  const stats = lstatSync(join(blobs, uploadId), { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === bytes;
}
