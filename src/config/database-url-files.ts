import { fstatSync } from "node:fs";
import { readBounded } from "./bounded-texts.ts";
import { DatabaseUrl, isUrlShaped } from "./database-urls.ts";
import { SettingsError } from "./errors.ts";
import { isProvided } from "./provided-files.ts";

const WHAT = "the URL of the database";
const MOST_KIB = 64;

/** The message for a URL where the path of a file is expected, after the name of the setting. */
export const URL_IN_PLACE_OF_FILE =
  "expected the path of a file with the URL in it, and this is a URL itself. Put it into a file, or give it as HANDOFF_DATABASE_URL";

/**
 * Reads the URL from the file or pipe at `path`, the value of the setting `name`. Throws SettingsError when it can't be
 * read, isn't one line, or others than owner and group can read it. Messages never quote the content.
 */
export function readDatabaseUrlFile(path: string, name: string): DatabaseUrl {
  if (isUrlShaped(path)) throw new SettingsError(`${name}: ${URL_IN_PLACE_OF_FILE}.`);
  const bytes = readBounded(path, { what: WHAT, mostKib: MOST_KIB, check: (file) => refuseShared(file, path) });
  const complaint = `Can't read ${WHAT} in '${path}'`;
  const text = decode(bytes)?.trim();
  if (text === undefined) throw new SettingsError(`${complaint}: it isn't text in UTF-8.`);
  if (text === "") throw new SettingsError(`${complaint}: the file is empty.`);
  if (/[\r\n]/.test(text)) {
    throw new SettingsError(`${complaint}: there is more than one line. Leave nothing in it but the URL, in one line.`);
  }
  return new DatabaseUrl(text);
}

/** Throws SettingsError for a file that everybody can read or change. A pipe is private to its opener. */
function refuseShared(file: number, path: string): void {
  const stats = fstatSync(file);
  if (stats.isFile() && (stats.mode & 0o006) !== 0 && !isProvided(file)) {
    throw new SettingsError(
      `Others can read or change '${path}', which may have a password in it. Run: chmod o-rw '${path}'`,
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
