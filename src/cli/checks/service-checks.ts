import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unknownVariables } from "../../config/load.ts";
import type { Settings } from "../../config/settings.ts";
import { CONFIG_VARIABLE } from "../../config/sources.ts";
import type { Environment } from "../../config/sources.ts";
import { checkDates, howToReadAgain } from "../server/certificate-dates.ts";
import { findNameFault } from "../server/certificate-names.ts";
import { readTls } from "../server/certificates.ts";
import type { ServiceSettings } from "../server/systemd/service-settings.ts";
import { backupUnit, serverUnit, SETTINGS_FILE, unitOptionsOf } from "../server/systemd/units.ts";
import type { UnitOptions } from "../server/systemd/units.ts";
import { countOf } from "../terminal/counts.ts";
import { failed, fine, sentenceOf, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

const DAY_MS = 86_400_000;
/** A certificate that ends within so many days should have been renewed. */
const CERTIFICATE_DAYS = 14;
const UNITS = "/etc/systemd/system";

/** Reports variables of `env` that begin with HANDOFF_ and are no settings. */
export function checkVariables(env: Environment): Finding[] {
  return unknownVariables(env).map(({ name, nearest }) =>
    warning("variables", `No setting has the name ${name}, so it does nothing. The nearest name is ${nearest}.`),
  );
}

/** Warns of a package's settings file at `path` that the service, which was installed by hand, doesn't name. */
export function checkSettingsFile({ flags, env }: ServiceSettings, path = SETTINGS_FILE): Finding[] {
  if (flags["config"] || env[CONFIG_VARIABLE] || !existsSync(path)) return [];
  const text = `Nothing in '${path}' counts, because the service doesn't name it. If it should, add ${CONFIG_VARIABLE}=${path} to /etc/handoff/env. Otherwise remove it.`;
  return [warning("settings file", text)];
}

/** Checks the certificate that the settings name, if they name one. */
export function checkCertificate(settings: Settings, now: number): Finding[] {
  try {
    const tls = readTls(settings);
    if (!tls) return [];
    const complaints: string[] = [];
    const dates = checkDates(tls, settings.tlsCert ?? "", now, { warn: (_, message) => complaints.push(message) });
    const [complaint = findNameFault(tls, settings)] = complaints;
    if (complaint !== undefined) return [failed("certificate", sentenceOf(new Error(complaint)))];
    const days = Math.floor((Date.parse(dates?.not_after ?? "") - now) / DAY_MS);
    const text = `It ends in ${countOf(days, "day")} (${dates?.not_after}).`;
    if (days >= CERTIFICATE_DAYS) return [fine("certificate", text)];
    return [warning("certificate", `${text} Renew it, then ${howToReadAgain(settings.tlsCert ?? "")}.`)];
  } catch (error) {
    return [failed("certificate", sentenceOf(error))];
  }
}

/** Compares the installed units with those that this version prints. Skips units that aren't installed. */
export function checkUnits(folder = UNITS): Finding[] {
  const server = join(folder, "handoff.service");
  const backup = join(folder, "handoff-backup.service");
  return [
    ...checkUnit("unit", server, (options) => [serverUnit(options), `service${flagsOf(options)}`]),
    ...checkUnit("backup unit", backup, ({ databaseUrlFile, isPackaged }) => [
      // Admins choose how many backups are kept, and where.
      backupUnit({ databaseUrlFile, isPackaged }).replace(/^(Exec\w+|ReadWritePaths)=.*$/gm, ""),
      `service --backup${flagsOf({ databaseUrlFile })}`,
    ]),
  ];
}

type Print = (options: UnitOptions) => readonly [unit: string, command: string];

function checkUnit(check: string, path: string, print: Print): Finding[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // Not every server is run by systemd.
    return [];
  }
  const [unit, command] = print(unitOptionsOf(text));
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  const missing = unit.split("\n").filter((line) => /^[A-Z]\w*=/.test(line) && !lines.has(line));
  if (missing.length === 0) return [fine(check, `'${path}' is as this version prints it.`)];
  return [
    warning(
      check,
      `'${path}' lacks ${countOf(missing.length, "line")} of the unit that this version prints, such as ${missing[0]}. Compare: handoff admin ${command} | diff ${path} -`,
    ),
  ];
}

function flagsOf({ acme, listen, databaseUrlFile }: UnitOptions): string {
  const flags = { "--acme": acme, "--listen": listen, "--database-url-file": databaseUrlFile };
  return Object.entries(flags).reduce(
    (all, [flag, value]) => (value === undefined ? all : `${all} ${flag} ${value}`),
    "",
  );
}
