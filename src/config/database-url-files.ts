import { DatabaseUrl, isUrlShaped } from "./database-urls.ts";
import { SettingsError } from "./errors.ts";
import { readSecretLine } from "./secret-files.ts";

const WHAT = { what: "the URL of the database", short: "the URL", risk: "a password" } as const;

/** The message for a URL where the path of a file is expected, after the name of the setting. */
export const URL_IN_PLACE_OF_FILE =
  "expected the path of a file with the URL in it, and this is a URL itself. Put it into a file, or give it as HANDOFF_DATABASE_URL";

/** Reads the URL from the file or pipe at `path`, the value of the setting `name`. Throws as `readSecretLine` does. */
export function readDatabaseUrlFile(path: string, name: string): DatabaseUrl {
  if (isUrlShaped(path)) throw new SettingsError(`${name}: ${URL_IN_PLACE_OF_FILE}.`);
  return new DatabaseUrl(readSecretLine(path, WHAT));
}
