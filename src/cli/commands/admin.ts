import type { Command } from "commander";
import type { Terminal } from "../terminal/terminal.ts";
import { addBackup } from "./admin/backup.ts";
import { addCheck } from "./admin/check.ts";
import { addIdentity } from "./admin/identity.ts";
import { addKey } from "./admin/key.ts";
import { addLog } from "./admin/log.ts";
import { addMonitoring } from "./admin/monitoring.ts";
import { addMove } from "./admin/move.ts";
import { addRequest, addSecret } from "./admin/oversight.ts";
import { addPerson } from "./admin/person.ts";
import { addRestore } from "./admin/restore.ts";
import { addService } from "./admin/service.ts";
import { addStats } from "./admin/stats.ts";
import { addTeam } from "./admin/team.ts";
import { addWebhook } from "./admin/webhook.ts";

/** `handoff admin`: works on the database directly, beside the running server and without it. */
export function addAdmin(program: Command, terminal: Terminal, exitWith: (code: number) => void): void {
  const admin = program.command("admin").description("Administer teams, keys and people, on the database itself.");
  const all = [
    addTeam,
    addKey,
    addIdentity,
    addPerson,
    addSecret,
    addRequest,
    addWebhook,
    addStats,
    addBackup,
    addRestore,
    addMove,
    addCheck,
    addLog,
    addService,
    addMonitoring,
  ];
  for (const add of all) add(admin, terminal, exitWith);
}
