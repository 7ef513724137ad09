import type { Command } from "commander";
import { findVersions, VERSION } from "../server/version.ts";
import { formatJson } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff version` */
export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command("version")
    .option("--json", "Print version, commit, its date, Bun and SQLite as JSON.")
    .description("Print the version.")
    .action(async (flags: { readonly json?: true }) =>
      terminal.out(flags.json ? formatJson(await findVersions()) : `handoff ${VERSION}\n`),
    );
}
