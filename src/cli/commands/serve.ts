import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import { addSettings } from "../server/setting-options.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff serve` */
export function addServe(program: Command, terminal: Terminal): void {
  const command = program.command("serve").description("Run the server until SIGTERM or Ctrl-C.");
  addSettings(command).action(async (flags: Record<string, unknown>) => {
    const settings = loadSettings(flags, terminal.env);
    const { serve } = await import("../server/serve.ts");
    await serve(settings, terminal);
  });
}
