import { closeSync } from "node:fs";
import { codeOf } from "../contract/error-traces.ts";
import { SettingsError } from "./errors.ts";
import { FOREIGN_PIPE, FOREIGN_PIPE_REASON, openToRead, readOpened } from "./readable-files.ts";

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied. The user that runs this has to be able to read it",
  EISDIR: "it is a directory",
  [FOREIGN_PIPE]: FOREIGN_PIPE_REASON,
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
    const file = openToRead(path);
    try {
      check?.(file);
      const most = mostKib * 1024;
      const bytes = readOpened(file, most + 1);
      if (bytes.length <= most) return bytes;
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
