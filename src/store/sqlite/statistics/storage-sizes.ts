import { join } from "node:path";
import type { StorageMeasures } from "../../../domain/ports/statistics.ts";
import { freeBytes } from "../files/ballast.ts";
import { DATABASE_FILE } from "../files/data-folder.ts";
import { sizeOf } from "../files/file-sizes.ts";

/** The sizes of the files of the database in `folder`. Throws what the file system says. */
export function measureFiles(folder: string): Omit<StorageMeasures, "writer"> {
  const path = join(folder, DATABASE_FILE);
  return { databaseBytes: sizeOf(path), walBytes: sizeOf(`${path}-wal`), freeBytes: freeBytes(path) };
}
