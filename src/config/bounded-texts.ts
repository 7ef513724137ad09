import { closeSync, openSync, readSync } from "node:fs";
import { codeOf } from "../contract/system-codes.ts";
import { SettingsError } from "./errors.ts";

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied. The user that runs this has to be able to read it",
  EISDIR: "it is a directory",
};

/** Something to be read, and how much of it at most. */
export interface BoundedText {
  /** The text in words, such as "the settings". */
  readonly what: string;
  /** More than this is taken for nothing that anybody meant. */
  readonly mostKib: number;
  /** Looks at the open file before it is read; what it throws is thrown. */
  readonly check?: (file: number) => void;
}

/** The bytes of the file, or of the pipe, at `path`. Throws SettingsError that names it and the reason, also for what has no end. */
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
