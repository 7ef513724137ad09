import type { Command } from "commander";
import { loadSettings } from "../../config/load.ts";
import type { TeamRecord } from "../../domain/identity-ports.ts";
import { createTeam } from "../../domain/administration.ts";
import { addAdminFlags, toIsoTime, withAdminStore } from "../server/admin-store.ts";
import type { AdminFlags } from "../server/admin-store.ts";
import { addSettings } from "../server/setting-options.ts";
import { formatSize } from "../terminal/progress.ts";
import { formatTable } from "../terminal/tables.ts";
import { formatJson } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `handoff admin team create|list` */
export function addTeam(admin: Command, terminal: Terminal): void {
  const team = admin.command("team").description("Teams: what belongs to one is invisible to every other.");
  addAdminFlags(team.command("create").argument("<name>").description("Create a team.")).action(
    async (name: string, flags: AdminFlags) => {
      const created = await withAdminStore(flags, terminal, (deps) => createTeam(deps, name), { mayCreate: true });
      if (flags.json) terminal.out(formatJson(present(created)));
      else {
        terminal.out(`${created.id}\n`);
        terminal.say(`Created the team '${created.name}'.`);
      }
    },
  );
  addList(team, terminal);
}

function addList(team: Command, terminal: Terminal): void {
  addSettings(addAdminFlags(team.command("list")), ["teamQuota"])
    .description("List the teams, what each takes up in the database, and what it may.")
    .addHelpText("after", "\nGive the quota as the server has it, where that is not in the environment.")
    .action(async (flags: AdminFlags & { readonly teamQuota?: string }) => {
      const { teamQuota } = loadSettings({ teamQuota: flags.teamQuota }, terminal.env, ["teamQuota"]);
      const teams = await withAdminStore(flags, terminal, ({ store }) => store.listTeams());
      if (flags.json) {
        terminal.out(formatJson(teams.map((each) => ({ ...present(each), quota_bytes: teamQuota }))));
        return;
      }
      const rows = teams.map((each) => [
        each.id,
        each.name,
        toIsoTime(each.createdAt) ?? "",
        formatSize(each.storedBytes),
        formatSize(teamQuota),
      ]);
      terminal.out(formatTable(["ID", "NAME", "CREATED", "STORED", "QUOTA"], rows));
    });
}

function present(team: TeamRecord) {
  return {
    id: team.id,
    name: team.name,
    created_at: toIsoTime(team.createdAt),
    stored_bytes: team.storedBytes,
  };
}
