import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PackageFile } from "./package-files.ts";

/** A temporary folder, removed in the end. */
export interface StagingFolder extends Disposable {
  readonly path: string;
  /** Writes files below the folder, all with the time `epoch`. */
  write(files: readonly PackageFile[], epoch: number): void;
}

/** Makes an empty folder in which a package is put together. */
export function openStaging(): StagingFolder {
  const path = mkdtempSync(join(tmpdir(), "handoff-release-"));
  return {
    path,
    write(files, epoch) {
      for (const { path: to, content, isExecutable } of files) {
        const file = join(path, to);
        makeFolder(dirname(file));
        writeFileSync(file, content);
        chmodSync(file, isExecutable ? 0o755 : 0o644);
        utimesSync(file, epoch, epoch);
      }
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Makes a folder that everybody may read, whatever the umask is. */
function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  for (let at = path; first !== undefined && at.length >= first.length; at = dirname(at)) chmodSync(at, 0o755);
}
