import type { Command } from "commander";
import { defaultDataDir, loadSettings } from "../../config/load.ts";
import type { Settings } from "../../config/settings.ts";
import { systemClock } from "../../domain/clocks.ts";
import { checkBaseUrl } from "../checks/base-url-checks.ts";
import { failed, fine, sentenceOf } from "../checks/findings.ts";
import type { Finding } from "../checks/findings.ts";
import { checkCertificate, checkUnit, checkVariables } from "../checks/service-checks.ts";
import { checkStorage } from "../checks/storage-checks.ts";
import { addSettings } from "../server/setting-options.ts";
import { formatTable } from "../terminal/tables.ts";
import { formatJson } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff admin check` */
export function addCheck(admin: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  const command = admin
    .command("check")
    .description("Look for what is wrong with settings, storage, certificate and proxy, and say what to do.")
    .option("--json", "Print JSON.")
    .addHelpText("after", HELP);
  addSettings(command).action(async (flags: Record<string, unknown>) => {
    const findings = await checkAll(flags, terminal);
    terminal.out(flags["json"] ? formatJson(findings) : formatFindings(findings));
    if (findings.some(({ level }) => level !== "ok")) exitWith(1);
  });
}

const HELP = `
It changes nothing, and needs the settings of the server. The exit code is 0 when all is fine, 1 when something needs a look.

Example, with the settings of the unit, read by systemd as it reads them there:
  sudo systemd-run --quiet --pipe --wait -p EnvironmentFile=-/etc/handoff/env \\
    /usr/local/bin/handoff admin check --data-dir /var/lib/private/handoff`;

async function checkAll(flags: Record<string, unknown>, terminal: Terminal): Promise<Finding[]> {
  const now = systemClock.now();
  let settings: Settings;
  try {
    settings = loadSettings(flags, terminal.env);
  } catch (error) {
    return [failed("settings", sentenceOf(error)), ...checkVariables(terminal.env)];
  }
  const { findings, installation } = checkStorage(settings.dataDir ?? defaultDataDir(terminal.env), now);
  return [
    fine("settings", "They can be read. To see them: handoff config"),
    ...checkVariables(terminal.env),
    ...findings,
    ...checkCertificate(settings, now),
    ...(await checkBaseUrl(settings, installation)),
    ...checkUnit(),
  ];
}

function formatFindings(findings: readonly Finding[]): string {
  return formatTable(
    ["STATE", "CHECK", "WHAT"],
    findings.map(({ check, level, text }) => [level, check, text]),
  );
}
