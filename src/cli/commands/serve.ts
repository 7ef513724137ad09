import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import { addSettings } from "../server/setting-options.ts";
import type { FoundSettings } from "../server/systemd/service-environments.ts";
import { remark, usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff serve` */
export function addServe(program: Command, terminal: Terminal): void {
  const command = program.command("serve").description("Run the server until SIGTERM or Ctrl-C.");
  command.option("--check", "Read settings and certificates, say what is wrong with them, and start nothing.");
  command.addHelpText("after", HELP);
  addSettings(command).action(async (flags: Record<string, unknown>) => {
    if (flags["quiet"] === true && flags["check"] !== true) {
      throw usageError("--quiet is for --check. What a server logs is set by --log-level.");
    }
    // A server never takes the settings of the service: two would then work on the same data.
    const isCheck = flags["check"] === true;
    if (!isCheck) {
      const settings = loadSettings(flags, terminal.env);
      const { serve } = await import("../server/serve.ts");
      // The code for it is only loaded by servers that need it.
      return serve(settings, terminal, async (options) => (await import("../acme/acme.ts")).openAcme(options));
    }
    const { env, of, faults } = await findForCheck(flags, terminal);
    // First, because everything that a file of variables sets may be missing.
    if (faults.length > 0) throw usageError(faults.map(({ text }) => text).join("\n"));
    const { checkSettings } = await import("../server/read-settings.ts");
    checkSettings(loadSettings(flags, env), { ...terminal, env });
    remark(terminal, of === "service" ? "The settings of handoff.service are fine." : "The settings are fine.");
    if (of === "refused") remark(terminal, "They aren't those of handoff.service. For those, run this with sudo.");
  });
}

const HELP = `
Run by root on a machine with the systemd service 'handoff', --check reads the
settings of that service, unless a flag or variable names a data folder, a
database or another file of settings. A server itself never takes them.`;

async function findForCheck(flags: Record<string, unknown>, { env }: Terminal): Promise<FoundSettings> {
  const { findServiceEnvironment } = await import("../server/systemd/service-environments.ts");
  return findServiceEnvironment(flags, env, { isNext: true });
}
