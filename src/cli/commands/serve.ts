import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import { addSettings } from "../server/setting-options.ts";
import { remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff serve` */
export function addServe(program: Command, terminal: Terminal): void {
  const command = program.command("serve").description("Run the server until SIGTERM or Ctrl-C.");
  command.option("--check", "Read settings and certificates, say what is wrong with them, and start nothing.");
  addSettings(command).action(async (flags: Record<string, unknown>) => {
    if (flags["quiet"] === true && flags["check"] !== true) {
      throw usageError("--quiet is for --check. What a server logs is set by --log-level.");
    }
    const settings = loadSettings(flags, terminal.env);
    const { checkSettings, serve } = await import("../server/serve.ts");
    if (flags["check"] !== true) {
      // The code for it is only loaded by servers that need it.
      return serve(settings, terminal, async (options) => (await import("../acme/acme.ts")).openAcme(options));
    }
    checkSettings(settings, terminal);
    remark(terminal, "The settings are fine.");
  });
}
