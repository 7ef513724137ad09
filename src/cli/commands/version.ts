import type { Command } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import type { Terminal } from "../terminal.ts";

export const VERSION: string = packageJson.version;

/** `handoff version` */
export function addVersion(program: Command, terminal: Terminal): void {
  program
    .command("version")
    .description("Print the version.")
    .action(() => terminal.out(`handoff ${VERSION}\n`));
}
