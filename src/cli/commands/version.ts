import type { Command } from "commander";
import { findVersions, VERSION } from "../server/version.ts";
import { formatJson, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff version` */
export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command("version")
    .option("--json", "Print version, commit, its date, Bun and SQLite as JSON.")
    .option("--licenses", "Print the licenses of everything inside this program.")
    .description("Print the version.")
    .action(async (flags: VersionFlags) => terminal.out(await describe(flags)));
}

interface VersionFlags {
  readonly json?: true;
  readonly licenses?: true;
}

async function describe({ json, licenses }: VersionFlags): Promise<string> {
  if (json && licenses) throw usageError("--json and --licenses exclude each other");
  if (json) return formatJson(await findVersions());
  // Not read at every command's start.
  return licenses ? (await import("../server/components/licenses.ts")).LICENSES : `handoff ${VERSION}\n`;
}
