import packageJson from "../../../package.json" with { type: "json" };

/** Set by `scripts/build`; missing when the program runs from source. */
declare const HANDOFF_COMMIT: string;
declare const HANDOFF_COMMIT_DATE: string;

/** The version of the program, as `package.json` has it. */
export const VERSION: string = packageJson.version;

/** The state of the source of this build; "unknown" when it wasn't built in a git checkout. */
const BUILD = {
  /** The commit, with `-modified` if files had been changed since. */
  commit: typeof HANDOFF_COMMIT === "string" ? HANDOFF_COMMIT : "unknown",
  /** The time of the commit, in RFC 3339. */
  date: typeof HANDOFF_COMMIT_DATE === "string" ? HANDOFF_COMMIT_DATE : "unknown",
} as const;

/** The versions of all parts of the program. */
interface Versions {
  readonly version: string;
  readonly commit: string;
  readonly date: string;
  readonly bun: string;
  readonly sqlite: string;
}

/** The versions of this program. */
export async function findVersions(): Promise<Versions> {
  // Not read at every command's start.
  const { findSqliteVersion } = await import("../../store/sqlite/files/sqlite-version.ts");
  return { version: VERSION, ...BUILD, bun: Bun.version, sqlite: findSqliteVersion() };
}
