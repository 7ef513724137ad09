import type { Command } from "commander";
import type { SettingId } from "../../config/settings.ts";
import { findServiceEnvironment, hasOwnDatabase } from "../server/systemd/service-environments.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Gives `handoff admin` the commands of a file. */
type AddCommands = (admin: Command, terminal: Terminal, exitWith: (code: number) => void) => void;

const addMonitoring = async () => (await import("./admin/monitoring.ts")).addMonitoring;

/** The commands by name. Each is loaded only when it is needed, which makes the start faster. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommands>>> = {
  team: async () => (await import("./admin/team.ts")).addTeam,
  key: async () => (await import("./admin/key.ts")).addKey,
  identity: async () => (await import("./admin/identity.ts")).addIdentity,
  person: async () => (await import("./admin/person.ts")).addPerson,
  secret: async () => (await import("./admin/oversight.ts")).addSecret,
  request: async () => (await import("./admin/oversight.ts")).addRequest,
  webhook: async () => (await import("./admin/webhook.ts")).addWebhook,
  mail: async () => (await import("./admin/mail.ts")).addMail,
  stats: async () => (await import("./admin/stats.ts")).addStats,
  backup: async () => (await import("./admin/backup.ts")).addBackup,
  restore: async () => (await import("./admin/restore.ts")).addRestore,
  move: async () => (await import("./admin/move.ts")).addMove,
  check: async () => (await import("./admin/check.ts")).addCheck,
  log: async () => (await import("./admin/log.ts")).addLog,
  audit: async () => (await import("./admin/audit.ts")).addAudit,
  service: async () => (await import("./admin/service.ts")).addService,
  // One file adds both.
  alerts: addMonitoring,
  dashboard: addMonitoring,
};

const HELP = `
Run by root on a machine with the systemd service 'handoff', these commands find
its database and its settings by themselves, unless a flag or variable names a
data folder, a database or another file of settings.`;

/** The commands that may make a database. */
const MAKERS = ["create", "restore"];

/**
 * `handoff admin`: works on the database directly, beside the running server and without it. Adds only the command that
 * `name` is, or all of them when it is none.
 */
export async function addAdmin(
  program: Command,
  terminal: Terminal,
  exitWith: (code: number) => void,
  name: string | undefined,
): Promise<void> {
  const admin = program.command("admin").description("Administer teams, keys and people, on the database itself.");
  admin.addHelpText("after", HELP);
  let { env } = terminal;
  const onMachine: Terminal = {
    ...terminal,
    get env() {
      return env;
    },
  };
  admin.hook("preAction", async (_, command) => {
    env = await environmentFor(command, terminal);
  });
  const named = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const load of named ? [named] : new Set(Object.values(COMMANDS))) (await load())(admin, onMachine, exitWith);
}

/** The environment for a command: with the settings of the machine's service, unless it names a database itself. */
async function environmentFor(command: Command, terminal: Terminal): Promise<Terminal["env"]> {
  // 'check' also looks at the service itself.
  const has = (id: SettingId) => command.options.some((option) => option.attributeName() === id);
  if (!(has("dataDir") || has("smtpUrl")) || command.name() === "check") return terminal.env;
  const { env, of } = await findServiceEnvironment(command.opts(), terminal.env);
  if (!has("dataDir")) return env;
  if (of === "refused" && !MAKERS.includes(command.name()) && !hasOwnDatabase(env)) {
    throw usageError(
      "Only root can use the database of this machine's handoff.service. Run this with sudo, or name another data folder with --data-dir.",
    );
  }
  return env;
}
