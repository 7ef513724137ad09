import { fstatSync } from "node:fs";
import { readBounded } from "./bounded-texts.ts";
import { SettingsError } from "./errors.ts";
import { isProvided } from "./provided-files.ts";

const MOST_KIB = 64;

/** What a file has in it, for messages. */
export interface SecretLine {
  /** Such as "the URL of the database". */
  readonly what: string;
  /** What has to be alone in the file: "the URL". */
  readonly short: string;
  /** What strangers could read: "a password". */
  readonly risk: string;
}

/**
 * Reads one line from the file or pipe at `path`. Throws SettingsError when it can't be read, isn't one line, or others
 * than owner and group can read it. Messages never quote the content.
 */
export function readSecretLine(path: string, { what, short, risk }: SecretLine): string {
  const bytes = readBounded(path, { what, mostKib: MOST_KIB, check: (file) => refuseShared(file, path, risk) });
  const complaint = `Can't read ${what} in '${path}'`;
  const text = decode(bytes)?.trim();
  if (text === undefined) throw new SettingsError(`${complaint}: it isn't text in UTF-8.`);
  if (text === "") throw new SettingsError(`${complaint}: the file is empty.`);
  if (/[\r\n]/.test(text)) {
    throw new SettingsError(
      `${complaint}: there is more than one line. Leave nothing in it but ${short}, in one line.`,
    );
  }
  return text;
}

/** Throws SettingsError for a file that everybody can read or change. A pipe is private to its opener. */
function refuseShared(file: number, path: string, risk: string): void {
  const stats = fstatSync(file);
  if (stats.isFile() && (stats.mode & 0o006) !== 0 && !isProvided(file)) {
    throw new SettingsError(
      `Others can read or change '${path}', which may have ${risk} in it. Run: chmod o-rw '${path}'`,
    );
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
