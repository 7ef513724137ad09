import type { Command } from "commander";
import { VERSION } from "../server/version.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff version` */
export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command("version")
    .description("Print the version.")
    .action(() => terminal.out(`handoff ${VERSION}\n`));
}
