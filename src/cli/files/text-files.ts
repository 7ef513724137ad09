import { readFileSync } from "node:fs";
import { reasonOf } from "../terminal/system-errors.ts";
import { usageError } from "../terminal/terminal.ts";

/**
 * The text of the file at `path`. `flag` is the option that names it; undefined for an argument. Throws CommandError
 * when it can't be read.
 */
export function readTextFile(path: string, flag?: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const complaint = flag === undefined ? `Can't read '${path}'` : `${flag}: can't read '${path}'`;
    throw usageError(`${complaint}: ${reasonOf(error)}.`);
  }
}
