import type { Command } from "commander";
import { parseBytes } from "../../../config/units.ts";
import type { Rules } from "../../../contract/credentials.ts";
import { TEAM_QUOTA_BYTES } from "../../../contract/limits.ts";
import { toIsoTime } from "../../../contract/times.ts";
import type { TeamCounts } from "../../../domain/ports/admin.ts";
import type { TeamRecord } from "../../../domain/ports/identities.ts";
import { createTeam, deleteTeam, getTeamWithCounts, liveOf, renameTeam, setTeamQuota } from "../../../domain/teams.ts";
import { listRules } from "../../../domain/values/team-rules.ts";
import { addAdminFlags, placeOf, readAdminStore, withAdminStore } from "../../server/admin-store.ts";
import type { AdminFlags } from "../../server/admin-store.ts";
import { presentCounts } from "../../server/administering/team-counts.ts";
import { describePlace, shownPlace } from "../../server/storages/places.ts";
import { confirm } from "../../terminal/confirmations.ts";
import { countOf } from "../../terminal/counts.ts";
import { formatSize } from "../../terminal/progress.ts";
import { wordOf } from "../../terminal/state-words.ts";
import { formatTable } from "../../terminal/tables.ts";
import { formatRules } from "../../terminal/team-rules.ts";
import { formatJson, remark, usageError } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { addRules } from "./team-rules.ts";

interface DeleteFlags extends AdminFlags {
  readonly force?: true;
  readonly yes?: true;
}

/** `handoff admin team create|list|show|rename|quota|rules|delete` */
export function addTeam(admin: Command, terminal: Terminal): void {
  const team = admin.command("team").description("Teams: what belongs to one is invisible to every other.");
  addCreate(team, terminal);
  addList(team, terminal);
  addShow(team, terminal);
  addRename(team, terminal);
  addQuota(team, terminal);
  addRules(team, terminal, withRules);
  addDelete(team, terminal);
}

function addCreate(team: Command, terminal: Terminal): void {
  addAdminFlags(
    team.command("create").argument("<name>").description("Create a team, and the database if there is none."),
  )
    .option("--yes", "Make a new database without asking.")
    .action(async (name: string, flags: AdminFlags & { readonly yes?: true }) => {
      const mayCreate = flags.yes ? "unasked" : "asked";
      const { created, isNew } = await withAdminStore(
        flags,
        terminal,
        async (deps) => ({ created: await createTeam(deps, name), isNew: deps.isNew }),
        { mayCreate },
      );
      const place = placeOf(flags, terminal);
      if (flags.json) return terminal.out(formatJson({ ...present(created), ...shownPlace(place) }));
      terminal.out(`${created.id}\n`);
      // It may be a second database, by a mistyped path: even --quiet doesn't hide that.
      if (isNew) terminal.say(`Created the team '${created.name}' in ${describePlace(place, isNew)}.`);
      else remark(terminal, `Created the team '${created.name}' in ${describePlace(place, isNew)}.`);
    });
}

function addList(team: Command, terminal: Terminal): void {
  addAdminFlags(team.command("list"))
    .description("List the teams, what each takes up in the database, and what it may.")
    .addHelpText(
      "after",
      "\nThe quota is that of the server that runs, or ran last, on this database, unless\nthe team has its own (*).",
    )
    .action(async (flags: AdminFlags) => {
      const { teams, quota } = await readAdminStore(flags, terminal, async ({ store }) => ({
        teams: await store.listTeams(),
        quota: await store.findTeamQuota(),
      }));
      if (flags.json) return terminal.out(formatJson(teams.map((each) => withQuota(each, quota))));
      const rows = teams.map((each) => [
        each.id,
        each.name,
        toIsoTime(each.createdAt) ?? "",
        formatSize(each.storedBytes),
        describeQuota(each, quota),
        formatRules(rulesOf(each)),
      ]);
      terminal.out(formatTable(["ID", "NAME", "CREATED", "STORED", "QUOTA", "RULES"], rows));
      if (quota === undefined) remark(terminal, "The quota is known once a server has run on this database.");
    });
}

function addShow(team: Command, terminal: Terminal): void {
  addAdminFlags(team.command("show").argument("<team>", "Its name or ID."))
    .description("Show a team, and how much it has.")
    .action(async (nameOrId: string, flags: AdminFlags) => {
      const { found, quota } = await readAdminStore(flags, terminal, async (deps) => ({
        found: await getTeamWithCounts(deps, nameOrId),
        quota: await deps.store.findTeamQuota(),
      }));
      if (flags.json) {
        terminal.out(formatJson({ ...withQuota(found.team, quota), ...presentCounts(found.counts) }));
        return;
      }
      const { id, name, createdAt, storedBytes } = found.team;
      const rows = [
        ["id", id],
        ["name", name],
        ["created", toIsoTime(createdAt) ?? ""],
        ["stored", formatSize(storedBytes)],
        ["quota", describeQuota(found.team, quota)],
        ["rules", formatRules(rulesOf(found.team))],
        ...rowsOf(found.counts),
      ];
      terminal.out(formatTable(["FIELD", "VALUE"], rows));
    });
}

function addRename(team: Command, terminal: Terminal): void {
  addAdminFlags(team.command("rename").argument("<team>", "Its name or ID.").argument("<name>", "Its new name."))
    .description("Give a team another name.")
    .action(async (nameOrId: string, name: string, flags: AdminFlags) => {
      const renamed = await withAdminStore(flags, terminal, (deps) => renameTeam(deps, nameOrId, name));
      if (flags.json) terminal.out(formatJson(present(renamed)));
      else remark(terminal, `The team ${renamed.id} is now named '${renamed.name}'.`);
    });
}

function addQuota(team: Command, terminal: Terminal): void {
  addAdminFlags(team.command("quota").argument("<team>", "Its name or ID."))
    .argument("<size>", "Such as 512MiB or 20GiB; 'default' for that of the server.")
    .description("Give a team a quota of its own. It counts from the next call on.")
    .action(async (nameOrId: string, text: string, flags: AdminFlags) => {
      const quotaBytes = parseQuota(text);
      const { changed, quota } = await withAdminStore(flags, terminal, async (deps) => ({
        changed: await setTeamQuota(deps, nameOrId, quotaBytes),
        quota: await deps.store.findTeamQuota(),
      }));
      if (flags.json) return terminal.out(formatJson(withQuota(changed, quota)));
      const size = quotaBytes === null ? "the server's" : formatSize(quotaBytes);
      remark(
        terminal,
        `The quota of the team '${changed.name}' is ${size}. It takes up ${formatSize(changed.storedBytes)}.`,
      );
    });
}

/** Bytes; null for the server's quota. Throws CommandError. */
function parseQuota(text: string): number | null {
  if (text === "default") return null;
  const bytes = parseBytes(text);
  const { min, max } = TEAM_QUOTA_BYTES;
  if (bytes === undefined || bytes < min || bytes > max) {
    throw usageError("A quota must be 1KiB to 1024GiB, such as 512MiB or 20GiB, or 'default'.");
  }
  return bytes;
}

function addDelete(team: Command, terminal: Terminal): void {
  addAdminFlags(team.command("delete").argument("<team>", "Its name or ID."))
    .description("Delete a team with its people, keys, secrets and requests. It can't be undone.")
    .option("--force", "Delete it even if secrets can still be opened, or requests are open.")
    .option("--yes", "Delete it without asking.")
    .action(async (nameOrId: string, flags: DeleteFlags) => {
      const { team: found, counts } = await withAdminStore(flags, terminal, (deps) =>
        getTeamWithCounts(deps, nameOrId),
      );
      const live = liveOf(counts);
      if (!flags.json) tellWhatGoes(found, counts, terminal, flags.yes === true);
      if (!flags.force && live.secrets + live.requests > 0) {
        throw usageError(
          `Of the team '${found.name}', ${countOf(live.secrets, "secret")} can still be opened and ${countOf(live.requests, "request")} ${live.requests === 1 ? "is" : "are"} open. Nothing was deleted. Revoke them, or add --force.`,
        );
      }
      await confirm(terminal, `Delete the team '${found.name}' and all of that?`, flags.yes === true);
      await withAdminStore(flags, terminal, (deps) => deleteTeam(deps, found.id, flags.force === true));
      if (flags.json) terminal.out(formatJson(present(found)));
      else remark(terminal, `Deleted the team '${found.name}'.`);
    });
}

/** Says what is deleted with a team. An admin who is asked sees it even with --quiet. */
function tellWhatGoes(
  { name, storedBytes }: TeamRecord,
  counts: TeamCounts,
  terminal: Terminal,
  isUnasked: boolean,
): void {
  const facts = rowsOf(counts).map(([what, number]) => `${what} ${number}`);
  const line = `With the team '${name}' go: ${facts.join(", ")}, stored ${formatSize(storedBytes)}.`;
  if (isUnasked) remark(terminal, line);
  else terminal.say(line);
}

/** The numbers of what a team has, for people. */
function rowsOf(counts: TeamCounts): [what: string, number: string][] {
  const states = (all: Readonly<Record<string, number>>) =>
    Object.entries(all)
      .map(([state, count]) => `${count} ${wordOf(state)}`)
      .join(", ") || "0";
  return [
    ["identities", String(counts.automations)],
    ["people", String(counts.people)],
    ["valid keys", String(counts.keys)],
    ["secrets", states(counts.secrets)],
    ["requests", states(counts.requests)],
  ];
}

function describeQuota({ quotaBytes }: TeamRecord, ofServer: number | undefined): string {
  if (quotaBytes !== null) return `${formatSize(quotaBytes)} *`;
  return ofServer === undefined ? "-" : formatSize(ofServer);
}

function withQuota(team: TeamRecord, ofServer: number | undefined) {
  const { quotaBytes } = team;
  return { ...withRules(team), quota_bytes: quotaBytes ?? ofServer ?? null, has_own_quota: quotaBytes !== null };
}

function withRules(team: TeamRecord) {
  return { ...present(team), rules: rulesOf(team) };
}

function rulesOf({ rules }: TeamRecord): Rules | null {
  return rules && listRules(rules);
}

function present(team: TeamRecord) {
  return {
    id: team.id,
    name: team.name,
    created_at: toIsoTime(team.createdAt),
    stored_bytes: team.storedBytes,
  };
}
