import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../contract/error-traces.ts";
import { reasonOf } from "../terminal/system-errors.ts";
import { CommandError } from "../terminal/terminal.ts";
import { unfinishedPrefix } from "./destinations.ts";
import { freeName, place, removeUnfinished, syncFolder, writeUnfinished } from "./durable-files.ts";

/**
 * Makes a file for its owner alone, wholly or not at all, and on disk when it returns. It never overwrites a file. An
 * existing file counts as this one only if it has the same content and nobody else can read it, as an earlier attempt
 * leaves it. `given` is the path as the caller wrote it. `tag` names the unfinished file, and must not be shared by
 * concurrent callers. Throws CommandError.
 */
export function createNewFile(
  { folder, name }: { readonly folder: string; readonly name: string },
  bytes: Uint8Array,
  { given, tag }: { readonly given: string; readonly tag: string },
): void {
  const path = join(folder, name);
  // The name is always the same, so that a new attempt removes what an interrupted one left, whatever the file's name.
  const leftover = join(folder, `${unfinishedPrefix(tag)}new.part`);
  try {
    const unfinished = freeName(leftover);
    writeUnfinished(unfinished, bytes, { mode: 0o600 });
    try {
      place(unfinished, path);
    } finally {
      removeUnfinished(unfinished);
    }
    syncFolder(folder);
  } catch (error) {
    if (codeOf(error) === "EEXIST") {
      if (isOurs(path, bytes)) return;
      throw new CommandError(`'${given}' already exists. Name another file.`);
    }
    throw new CommandError(`Can't write '${given}': ${reasonOf(error)}.`);
  }
}

function isOurs(path: string, bytes: Uint8Array): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const { mode, nlink, size } = fstatSync(file);
      const isPrivate = (mode & 0o777) === 0o600 && nlink === 1;
      return isPrivate && size === bytes.length && readFileSync(file).equals(bytes);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
