import { Argument } from "commander";
import type { Command } from "commander";
import { DatabaseUrl } from "../../config/database-urls.ts";
import { defaultDataDir, explainSettings } from "../../config/load.ts";
import type { LoadedSetting } from "../../config/load.ts";
import { SETTINGS } from "../../config/settings.ts";
import type { Setting, SettingId } from "../../config/settings.ts";
import { SmtpUrl } from "../../config/smtp-urls.ts";
import { formatBytes, formatDuration } from "../../config/units.ts";
import { addSettings } from "../server/setting-options.ts";
import { findServiceEnvironment } from "../server/systemd/service-environments.ts";
import { DEFAULT_NAMES, keepDefault, readKept } from "../state/defaults.ts";
import type { DefaultName } from "../state/defaults.ts";
import { formatJson, remark, toLine, usageError, warn } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff config` */
export function addConfig(program: Command, terminal: Terminal): void {
  const command = program
    .command("config")
    .description("Print the settings that count, and where each comes from.")
    .option("--json", "Print JSON.")
    .addHelpText("after", HELP);
  addDefaults(command, terminal);
  addSettings(command).action(async (flags: Record<string, unknown>) => {
    const { env, of, faults } = await findServiceEnvironment(flags, terminal.env, { isNext: true });
    if (of === "refused")
      remark(terminal, "These aren't the settings of handoff.service. For those, run this with sudo.");
    for (const { text } of faults) warn(terminal, text);
    const settings = explainSettings(flags, env);
    // With a database elsewhere, there is no data folder.
    const isElsewhere = settings.some(({ id, value }) => DATABASES.includes(id) && value !== undefined);
    const folder = isElsewhere ? undefined : defaultDataDir(env);
    const isService = ({ given: { from, name, value } }: LoadedSetting) =>
      of === "service" && from === "environment" && terminal.env[name] !== value;
    const lines = settings.map((each) => describe(each, folder, isService(each)));
    terminal.out(flags["json"] ? formatJson(lines) : formatToml(lines));
  });
}

/** `handoff config set` and `handoff config unset` */
function addDefaults(command: Command, terminal: Terminal): void {
  const name = () => new Argument("<name>", "The flag, without its dashes.").choices(DEFAULT_NAMES);
  command
    .command("set")
    .addArgument(name().argOptional())
    .argument("[value]", "Its value, such as 1d.")
    .description(
      "Keep a default for --expires of 'send' and 'request', or --claims of 'send'. Without a name, list them.",
    )
    .addHelpText("after", "\nExamples:\n  handoff config set expires 1d\n  handoff config set")
    .action((flag: DefaultName | undefined, value: string | undefined) => {
      if (flag === undefined) return tellDefaults(terminal);
      if (value === undefined) throw usageError(`Give a value for ${flag}. To drop it: handoff config unset ${flag}`);
      return keepDefault(terminal, flag, value);
    });
  command
    .command("unset")
    .addArgument(name())
    .description("Drop a default that 'handoff config set' keeps.")
    .action((flag: DefaultName) => keepDefault(terminal, flag, undefined));
}

function tellDefaults(terminal: Terminal): void {
  const lines = Object.entries(readKept(terminal)).map(([flag, value]) => `${flag} ${toLine(value)}\n`);
  if (lines.length === 0) return remark(terminal, "No defaults are kept.");
  terminal.out(lines.join(""));
}

/** The settings that name a database elsewhere. */
const DATABASES: readonly SettingId[] = ["database", "databaseUrlFile"];

const HELP = `
Run by root on a machine with the systemd service 'handoff', it prints the
settings of that service, unless a flag or variable names a data folder, a
database or another file of settings.

What is printed is a file of settings itself: TOML, for --config. The password
of a database isn't printed, nor are user and password of a mail server.

Example:
  handoff config > handoff.toml`;

/** A setting as it is shown. */
interface Line {
  readonly name: string;
  /** The value as it would be written down; null when there is none. */
  readonly value: string | number | boolean | readonly string[] | null;
  readonly from: LoadedSetting["given"]["from"];
  /** The flag, the variable, or the position in a file. */
  readonly source: string;
}

/** `folder` is the data folder when no setting names one. `isService` is true for a variable of the service's. */
function describe({ id, given, value }: LoadedSetting, folder: string | undefined, isService: boolean): Line {
  const setting: Setting = SETTINGS[id];
  const isDefault = given.from === "default";
  const name = isService ? `${given.name} of handoff.service` : given.name;
  const written = write(setting, id === "dataDir" ? (value ?? folder) : value);
  return { name: setting.name, value: written, from: given.from, source: isDefault ? "default" : name };
}

function write(setting: Setting, value: unknown): Line["value"] {
  if (setting.kind === "duration" && typeof value === "number") return formatDuration(value);
  if (setting.kind === "durations" && Array.isArray(value)) return value.map(Number).map(formatDuration);
  if (setting.kind === "bytes" && typeof value === "number") return formatBytes(value);
  if (value instanceof DatabaseUrl || value instanceof SmtpUrl) return String(value);
  return (value ?? null) as Line["value"];
}

function formatToml(lines: readonly Line[]): string {
  // TOML writes strings and these other values as JSON does.
  const texts = lines.map(({ name, value }) => `${value === null ? "# " : ""}${name} = ${JSON.stringify(value ?? "")}`);
  const width = Math.max(...texts.map((text) => text.length));
  return lines.map(({ source }, at) => `${(texts[at] ?? "").padEnd(width)} # ${source}\n`).join("");
}
