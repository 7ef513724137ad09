import type { Command } from "commander";
import { loadSettings } from "../../../config/load.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Environment } from "../../../config/sources.ts";
import { systemClock } from "../../../domain/values/clocks.ts";
import { checkBackups } from "../../checks/backup-checks.ts";
import { checkBaseUrl } from "../../checks/base-url-checks.ts";
import { failed, fine, sentenceOf } from "../../checks/findings.ts";
import type { Finding } from "../../checks/findings.ts";
import { checkMail } from "../../checks/mail-checks.ts";
import { checkProvider } from "../../checks/provider-checks.ts";
import { checkCertificate, checkUnits, checkVariables } from "../../checks/service-checks.ts";
import { findServiceSettings } from "../../checks/services.ts";
import { checkApprovers, checkPasskeys, checkTeamRules, checkTeams } from "../../checks/sign-in-checks.ts";
import { checkStorage } from "../../checks/storage-checks.ts";
import type { StorageFindings } from "../../checks/storage-checks.ts";
import { readAll } from "../../server/read-settings.ts";
import { addSettings } from "../../server/setting-options.ts";
import { findPlace } from "../../server/storages/places.ts";
import { formatTable } from "../../terminal/tables.ts";
import { formatJson } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

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
It changes nothing, but for an object that it writes into the object store and
removes. On a machine with the systemd service 'handoff' it checks
the settings of that service, which root can read. Settings that are given to
this command override them; when they name a data folder, a database or another
file of settings, they are checked alone. The exit code is 0 when all is fine,
1 when something needs a look.

Examples:
  sudo handoff admin check
  handoff admin check --data-dir .data --base-url http://127.0.0.1:8080`;

async function checkAll(given: Record<string, unknown>, terminal: Terminal): Promise<Finding[]> {
  const now = systemClock.now();
  const { flags, env, backups, findings: ofService } = await findServiceSettings(given, terminal.env);
  let settings: Settings;
  try {
    settings = loadSettings(flags, env);
  } catch (error) {
    return [...ofService, failed("settings", sentenceOf(error)), ...checkVariables(env)];
  }
  const { findings, installation, lastBackupAt, teams } = await checkPlace(settings, env, now);
  return [
    ...ofService,
    checkSettings(settings, env),
    ...checkVariables(env),
    ...findings,
    ...(lastBackupAt === undefined ? [] : checkBackups(lastBackupAt, backups, now)),
    ...checkCertificate(settings, now),
    ...(await checkBaseUrl(settings, installation, now)),
    ...checkPasskeys(settings),
    ...(teams ? [...checkTeams(settings, teams), ...checkTeamRules(settings, teams), ...checkApprovers(teams)] : []),
    ...(await checkProvider(settings)),
    ...(await checkMail(settings)),
    ...checkUnits(),
  ];
}

/** Whether a server starts with these settings, apart from its certificate, which has a finding of its own. */
function checkSettings(settings: Settings, env: Environment): Finding {
  try {
    readAll({ ...settings, tlsCert: undefined, tlsKey: undefined }, env);
    return fine("settings", "A server can start with them.");
  } catch (error) {
    return failed("settings", sentenceOf(error));
  }
}

async function checkPlace(settings: Settings, env: Environment, now: number): Promise<StorageFindings> {
  try {
    const place = findPlace(settings, env);
    if (place.kind === "folder") return await checkStorage(place.folder, now);
    // Loaded only where they are needed: they bring the driver of PostgreSQL.
    const found = await (await import("../../checks/database-checks.ts")).checkDatabase(place);
    if (found.installation === undefined) return found;
    const { checkObjectStore } = await import("../../checks/object-store-checks.ts");
    const ofObjects = await checkObjectStore(settings, place, found.installation, now);
    return { ...found, findings: [...found.findings, ...ofObjects] };
  } catch (error) {
    return { findings: [failed("database", sentenceOf(error))] };
  }
}

function formatFindings(findings: readonly Finding[]): string {
  return formatTable(
    ["STATE", "CHECK", "WHAT"],
    findings.map(({ check, level, text }) => [level, check, text]),
  );
}
