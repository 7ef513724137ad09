import type { Command } from "commander";
import { createTeam } from "../../domain/keys.ts";
import type { TeamRecord } from "../../domain/ports.ts";
import { addAdminFlags, type AdminFlags, isoTime, withAdminStore } from "../admin-store.ts";
import { formatTable } from "../tables.ts";
import type { Terminal } from "../terminal.ts";

/** `handoff admin team create|list` */
export function addTeam(admin: Command, terminal: Terminal): void {
  const team = admin.command("team").description("Teams: what belongs to one is invisible to every other.");
  addAdminFlags(team.command("create").argument("<name>").description("Create a team.")).action(
    async (name: string, flags: AdminFlags) => {
      const created = await withAdminStore(flags, terminal, (deps) => createTeam(deps, name), true);
      if (flags.json) terminal.out(`${JSON.stringify(present(created))}\n`);
      else {
        terminal.out(`${created.id}\n`);
        terminal.say(`Created the team '${created.name}'.`);
      }
    },
  );
  addAdminFlags(team.command("list").description("List the teams.")).action(async (flags: AdminFlags) => {
    const teams = await withAdminStore(flags, terminal, ({ store }) => store.listTeams());
    if (flags.json) terminal.out(`${JSON.stringify(teams.map(present))}\n`);
    else {
      const rows = teams.map((each) => [each.id, each.name, isoTime(each.createdAt) ?? "", String(each.storedBytes)]);
      terminal.out(formatTable(["ID", "NAME", "CREATED", "STORED BYTES"], rows));
    }
  });
}

function present(team: TeamRecord) {
  return {
    id: team.id,
    name: team.name,
    created_at: isoTime(team.createdAt),
    stored_bytes: team.storedBytes,
  };
}
