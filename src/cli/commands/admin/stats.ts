import type { Command } from "commander";
import type { TeamCounts } from "../../../domain/ports/admin.ts";
import type { TeamRecord } from "../../../domain/ports/identities.ts";
import { liveOf } from "../../../domain/teams.ts";
import { addAdminFlags, readAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { presentCounts } from "../../server/administering/team-counts.ts";
import { formatSize } from "../../terminal/progress.ts";
import { formatTable } from "../../terminal/tables.ts";
import { formatJson } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** `handoff admin stats` */
export function addStats(admin: Command, terminal: Terminal): void {
  addAdminFlags(admin.command("stats"))
    .description("Count what each team has: people, keys, secrets and requests by state.")
    .action(async (flags: AdminFlags) => {
      const { teams, counts } = await readAdminStore(flags, terminal, async ({ store }) => ({
        teams: await store.listTeams(),
        counts: await store.countTeams(),
      }));
      const all = counts.flatMap((each) => {
        const team = teams.find(({ id }) => id === each.teamId);
        return team ? [{ team, counts: each }] : [];
      });
      if (flags.json) return terminal.out(formatJson(all.map(present)));
      terminal.out(formatTable(HEADINGS, all.map(toRow)));
    });
}

const HEADINGS = [
  "TEAM",
  "STORED",
  "IDENTITIES",
  "PEOPLE",
  "KEYS",
  "SECRETS WAITING",
  "SECRETS ENDED",
  "REQUESTS OPEN",
  "REQUESTS ENDED",
];

interface Counted {
  readonly team: TeamRecord;
  readonly counts: TeamCounts;
}

function toRow({ team, counts }: Counted): string[] {
  const live = liveOf(counts);
  const { automations, people, keys } = counts;
  const numbers = [
    automations,
    people,
    keys,
    live.secrets,
    sum(counts.secrets) - live.secrets,
    live.requests,
    sum(counts.requests) - live.requests,
  ];
  return [team.name, formatSize(team.storedBytes), ...numbers.map(String)];
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function present({ team: { id, name, storedBytes }, counts }: Counted) {
  return { id, name, stored_bytes: storedBytes, ...presentCounts(counts) };
}
