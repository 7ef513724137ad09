import type { Command } from "commander";
import { toIsoTime } from "../../contract/times.ts";
import { createTeam } from "../../domain/administration.ts";
import type { TeamRecord } from "../../domain/ports/identities.ts";
import { addAdminFlags, withAdminStore } from "../server/admin-store.ts";
import type { AdminFlags } from "../server/admin-store.ts";
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
  addAdminFlags(team.command("list"))
    .description("List the teams, what each takes up in the database, and what it may.")
    .addHelpText("after", "\nThe quota is that of the server that runs, or ran last, on this database.")
    .action(async (flags: AdminFlags) => {
      const { teams, quota } = await withAdminStore(flags, terminal, async ({ store }) => ({
        teams: await store.listTeams(),
        quota: await store.findTeamQuota(),
      }));
      if (flags.json) {
        terminal.out(formatJson(teams.map((each) => ({ ...present(each), quota_bytes: quota ?? null }))));
        return;
      }
      const rows = teams.map((each) => [
        each.id,
        each.name,
        toIsoTime(each.createdAt) ?? "",
        formatSize(each.storedBytes),
        quota === undefined ? "-" : formatSize(quota),
      ]);
      terminal.out(formatTable(["ID", "NAME", "CREATED", "STORED", "QUOTA"], rows));
      if (quota === undefined) terminal.say("The quota is known once a server has run on this database.");
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
