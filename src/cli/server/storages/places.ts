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

/** The settings that say where everything is stored. */
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
  /** The URL as people and logs see it: without its password, and without anything that may be one. */
  readonly name: string;
  /** The URL without its password, which identifies the database. */
  readonly address: string;
  /** The source of the password; undefined when there is none. */
  readonly passwordFrom: "URL" | "PGPASSWORD" | undefined;
  /** Reads the files behind this again. Throws CommandError or SettingsError as the first time. */
  readonly readAgain?: () => PostgresPlace;
}

/** The storage location: a data folder or a database. */
export type Place = FolderPlace | PostgresPlace;

/** The location that `settings` name. Throws CommandError when a URL isn't valid. */
export function findPlace(settings: PlaceSettings, env: Environment): Place {
  const { database, databaseUrlFile } = settings;
  const url = databaseUrlFile === undefined ? database : readDatabaseUrlFile(databaseUrlFile, "--database-url-file");
  if (url === undefined) return { kind: "folder", folder: settings.dataDir ?? defaultDataDir(env) };
  // A pipe can be read only once.
  const isFile = databaseUrlFile !== undefined && statSync(databaseUrlFile).isFile();
  const readUrl = () => (isFile ? readDatabaseUrlFile(databaseUrlFile, "--database-url-file") : url);
  return { ...findPostgres(url, settings, env), readAgain: () => findPostgres(readUrl(), settings, env) };
}

/** The database at `url`, with the password of `env` if the URL has none. Throws CommandError when it isn't valid. */
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

/** The location as logs and `--json` show it. */
export function shownPlace(place: Place): Readonly<Record<string, string>> {
  return place.kind === "folder" ? { data_dir: resolve(place.folder) } : { database: place.name };
}

/** The location in words; `isNew` when its database was created now, or was empty. */
export function describePlace(place: Place, isNew: boolean): string {
  if (place.kind === "postgres") return `the database '${place.name}'${isNew ? ", which was empty" : ""}`;
  return `${isNew ? "a new database in" : "the database of"} '${resolve(place.folder)}'`;
}
