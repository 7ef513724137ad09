import { statSync } from "node:fs";
import { resolve } from "node:path";
import { readDatabaseUrlFile } from "../../../config/database-url-files.ts";
import type { DatabaseUrl } from "../../../config/database-urls.ts";
import { defaultDataDir } from "../../../config/load.ts";
import type { SettingId, Settings } from "../../../config/settings.ts";
import type { Environment } from "../../../config/sources.ts";
import type { ConnectionOptions } from "../../../store/postgres/engine/database.ts";
import { usageError } from "../../terminal/terminal.ts";
import { toConnection } from "./postgres-connections.ts";

/** The settings that say where everything is kept. */
export const PLACE_SETTINGS = [
  "dataDir",
  "database",
  "databaseUrlFile",
  "databasePool",
  "databaseTimeout",
] as const satisfies readonly SettingId[];

type PlaceSettings = Pick<Settings, (typeof PLACE_SETTINGS)[number]>;

/** A data folder, with the database in it. */
export interface FolderPlace {
  readonly kind: "folder";
  readonly folder: string;
}

/** A database in PostgreSQL. */
export interface PostgresPlace {
  readonly kind: "postgres";
  readonly connection: ConnectionOptions;
  /** The URL as people and logs see it: without its password, and without what may be one. */
  readonly name: string;
  /** The URL without its password, by which it is told from others, and found again. */
  readonly address: string;
  /** The place that the password is from; undefined when there is none. */
  readonly passwordFrom: "URL" | "PGPASSWORD" | undefined;
  /** Reads the files again that this is from. Throws CommandError or SettingsError as for the first time. */
  readonly readAgain?: () => PostgresPlace;
}

/** The place where everything is kept. */
export type Place = FolderPlace | PostgresPlace;

/** The place that `settings` name. Throws CommandError when it is a URL that is none. */
export function findPlace(settings: PlaceSettings, env: Environment): Place {
  const { database, databaseUrlFile } = settings;
  const url = databaseUrlFile === undefined ? database : readDatabaseUrlFile(databaseUrlFile, "--database-url-file");
  if (url === undefined) return { kind: "folder", folder: settings.dataDir ?? defaultDataDir(env) };
  // A pipe has said all that it has.
  const isFile = databaseUrlFile !== undefined && statSync(databaseUrlFile).isFile();
  const readUrl = () => (isFile ? readDatabaseUrlFile(databaseUrlFile, "--database-url-file") : url);
  return { ...findPostgres(url, settings, env), readAgain: () => findPostgres(readUrl(), settings, env) };
}

/** The database at `url`, with the password of `env` where the URL has none. Throws CommandError when it is none. */
export function findPostgres(
  url: DatabaseUrl,
  { databasePool, databaseTimeout }: Pick<Settings, "databasePool" | "databaseTimeout">,
  env: Environment,
): PostgresPlace {
  const parsed = url.reveal();
  if (!parsed) {
    throw usageError(
      `the URL of the database can't be read: expected one such as postgresql://handoff@db.example/handoff. ${url.hasNul ? NUL_ADVICE : ENCODING_ADVICE}`,
    );
  }
  const connection = toConnection(parsed, { pool: databasePool, timeoutSeconds: databaseTimeout });
  const shown = { name: String(url), address: url.address };
  if (connection.password) return { kind: "postgres", connection, ...shown, passwordFrom: "URL" };
  const password = env["PGPASSWORD"] ?? "";
  const passwordFrom = password === "" ? undefined : "PGPASSWORD";
  return { kind: "postgres", connection: { ...connection, password }, ...shown, passwordFrom };
}

const ENCODING_ADVICE =
  "In names, passwords and what parameters say, write @ as %40, : as %3A, / as %2F, ? as %3F, & as %26, ; as %3B, = as %3D, % as %25 and a blank as %20";
const NUL_ADVICE = "Leave the NUL (%00) out of it: PostgreSQL takes none";

/** The place as logs and `--json` tell it. */
export function shownPlace(place: Place): Readonly<Record<string, string>> {
  return place.kind === "folder" ? { data_dir: resolve(place.folder) } : { database: place.name };
}

/** The place in words, `isNew` when its database was made, or was empty. */
export function describePlace(place: Place, isNew: boolean): string {
  if (place.kind === "postgres") return `the database '${place.name}'${isNew ? ", which was empty" : ""}`;
  return `${isNew ? "a new database in" : "the database of"} '${resolve(place.folder)}'`;
}
