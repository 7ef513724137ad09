import { join } from "node:path";
import type { StorageMeasures } from "../../../domain/ports/statistics.ts";
import { freeBytes } from "./ballast.ts";
import { DATABASE_FILE } from "./data-folder.ts";
import { sizeOf } from "./plain-files.ts";

/** The measures that the writer knows. */
export type WriterMeasures = Pick<StorageMeasures, "reserveBytes" | "wantedReserveBytes" | "writes">;

/** The measures for a writer that doesn't answer. */
export const UNKNOWN_MEASURES: WriterMeasures = {
  reserveBytes: undefined,
  wantedReserveBytes: undefined,
  writes: undefined,
};

/** The sizes of the files of the database in `folder`. Throws the error of the file system. */
export function measureFiles(folder: string): Omit<StorageMeasures, keyof WriterMeasures> {
  const path = join(folder, DATABASE_FILE);
  const [databaseBytes, logBytes] = [sizeOf(path), sizeOf(`${path}-wal`)];
  // What is erased is overwritten at once.
  return { databaseBytes, logBytes, freeBytes: freeBytes(path), erasingBehindMs: undefined };
}
