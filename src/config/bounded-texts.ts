import { closeSync, openSync, readSync } from "node:fs";
import { codeOf } from "../contract/error-traces.ts";
import { SettingsError } from "./errors.ts";

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied. The user that runs this has to be able to read it",
  EISDIR: "it is a directory",
};

/** A file or pipe to read, and its maximum size. */
export interface BoundedText {
  /** A name for messages, such as "the settings". */
  readonly what: string;
  /** The maximum size in KiB. */
  readonly mostKib: number;
  /** Called with the open file before it is read. Its errors are rethrown. */
  readonly check?: (file: number) => void;
}

/** Reads the file or pipe at `path`. Throws SettingsError with path and reason, also for one without an end. */
export function readBounded(path: string, { what, mostKib, check }: BoundedText): Uint8Array {
  const complaint = `Can't read ${what} in '${path}'`;
  try {
    const file = openSync(path, "r");
    try {
      check?.(file);
      const most = mostKib * 1024;
      const buffer = Buffer.alloc(most + 1);
      let bytes = 0;
      for (let read = -1; read !== 0 && bytes <= most; bytes += read) {
        read = readSync(file, buffer, bytes, buffer.length - bytes, null);
      }
      if (bytes <= most) return buffer.subarray(0, bytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    const code = codeOf(error) ?? "unknown reason";
    throw new SettingsError(`${complaint}: ${UNREADABLE[code] ?? code}.`);
  }
  throw new SettingsError(`${complaint}: there are more than ${mostKib} KiB.`);
}
