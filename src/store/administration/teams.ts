import { and, asc, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import { LIVE_STATES, TEAM_RULES } from "../../contract/states.ts";
import type { AdminAction, AdminDetails } from "../../domain/ports/admin-log.ts";
import type { TeamRecord } from "../../domain/ports/identities.ts";
import type { RulesChange } from "../../domain/ports/teams.ts";
import { afterChange, listRules } from "../../domain/values/team-rules.ts";
import { recordOf } from "./admin-log.ts";
import { rowsOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

export function listTeams({ orm, tables: { teams } }: ReadContext): Work<TeamRecord[]> {
  return rowsOf(orm.select().from(teams).orderBy(asc(teams.id)));
}

export function* findTeam({ orm, tables: { teams } }: ReadContext, nameOrId: string): Work<TeamRecord | undefined> {
  const condition = or(eq(teams.id, nameOrId), eq(teams.name, nameOrId));
  return (yield* rowsOf(orm.select().from(teams).where(condition)))[0];
}

export function* findTeamQuota({ orm, tables: { serverSettings } }: ReadContext): Work<number | undefined> {
  return (yield* rowsOf(orm.select().from(serverSettings)))[0]?.teamQuotaBytes;
}

export function* findInstallation({ orm, tables: { installations } }: ReadContext): Work<string> {
  const [row] = yield* rowsOf(orm.select({ publicId: installations.publicId }).from(installations));
  if (!row) throw new Error("the installation has no ID: its row is missing");
  return row.publicId;
}

export function* keepTeamQuota({ orm, tables: { serverSettings } }: ChangeContext, teamQuotaBytes: number): Work<void> {
  const [target, set] = [serverSettings.id, { teamQuotaBytes }];
  yield* rowsOf(
    orm
      .insert(serverSettings)
      .values({ id: 1, ...set })
      .onConflictDoUpdate({ target, set }),
  );
}

export function* createTeam(context: ChangeContext, team: TeamRecord): Work<"created" | "name_taken"> {
  const { teams } = context.tables;
  const inserted = yield* rowsOf(
    context.orm.insert(teams).values(team).onConflictDoNothing({ target: teams.name }).returning({ id: teams.id }),
  );
  if (inserted.length === 0) return "name_taken";
  yield* note(context, "team.created", team);
  return "created";
}

export function* renameTeam(
  context: ChangeContext,
  id: string,
  name: string,
): Work<TeamRecord | "name_taken" | undefined> {
  const before = yield* find(context, id);
  if (!before || before.name === name) return before;
  const { teams } = context.tables;
  const others = yield* rowsOf(context.orm.select({ id: teams.id }).from(teams).where(eq(teams.name, name)));
  if (others.length > 0) return "name_taken";
  const after = yield* update(context, before, { name });
  yield* note(context, "team.renamed", after, { former_name: before.name });
  return after;
}

export function* setTeamQuota(
  context: ChangeContext,
  id: string,
  quotaBytes: number | null,
): Work<TeamRecord | undefined> {
  const before = yield* find(context, id);
  if (!before || before.quotaBytes === quotaBytes) return before;
  const after = yield* update(context, before, { quotaBytes });
  const details = { quota_bytes: quotaBytes, former_quota_bytes: before.quotaBytes };
  yield* note(context, "team.quota_changed", after, details);
  return after;
}

export function* setTeamRules(context: ChangeContext, id: string, change: RulesChange): Work<TeamRecord | undefined> {
  const before = yield* find(context, id);
  if (!before) return undefined;
  const rules = afterChange(before.rules, change);
  const [former, listed] = [listRules(before.rules), listRules(rules)];
  const changed = TEAM_RULES.filter((name) => String(former[name]) !== String(listed[name]));
  if (changed.length === 0) return before;
  const after = yield* update(context, before, { rules });
  const details = changed.flatMap((name) => [
    [name, listed[name]],
    [`former_${name}`, former[name]],
  ]);
  yield* note(context, "team.rules_changed", after, Object.fromEntries(details));
  return after;
}

// A team is deleted in steps, so that a large one delays no other call: it is closed, emptied and then deleted.

export function* closeTeam(context: ChangeContext, id: string, force: boolean): Work<"closed" | "live" | undefined> {
  const { orm, clock } = context;
  const { identities, noticeSwitches, passkeys, sessions, signInLinks } = context.tables;
  const team = yield* find(context, id);
  if (!team) return undefined;
  if (!force && (yield* hasLive(context, id))) return "live";
  const closed = yield* rowsOf(
    orm
      .update(identities)
      .set({ disabledAt: clock.now() })
      .where(and(eq(identities.teamId, id), isNull(identities.disabledAt)))
      .returning({ id: identities.id }),
  );
  for (const table of [signInLinks, sessions, passkeys, noticeSwitches]) {
    yield orm.delete(table).where(inArray(table.identityId, members(context, id)));
  }
  if (closed.length > 0) yield* note(context, "team.closed", team);
  return "closed";
}

export function* deleteTeam(context: ChangeContext, id: string): Work<boolean> {
  const { orm, eraseStored } = context;
  const { apiKeys, identities, passkeys, providerAccounts, sessions, signInLinks, teams } = context.tables;
  const { noticePlaces, noticeSwitches, webhookDeliveries, webhooks } = context.tables;
  const team = yield* find(context, id);
  if (!team) return false;
  // Calls in progress when the team was closed may have created rows.
  yield* eraseStored(id);
  const ofTeam = orm.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.teamId, id));
  const memberIds = members(context, id);
  for (const query of [
    orm.delete(webhookDeliveries).where(inArray(webhookDeliveries.webhookId, ofTeam)),
    orm.delete(webhooks).where(eq(webhooks.teamId, id)),
    orm.delete(signInLinks).where(inArray(signInLinks.identityId, memberIds)),
    orm.delete(sessions).where(inArray(sessions.identityId, memberIds)),
    orm.delete(passkeys).where(inArray(passkeys.identityId, memberIds)),
    orm.delete(providerAccounts).where(inArray(providerAccounts.identityId, memberIds)),
    orm.delete(noticeSwitches).where(inArray(noticeSwitches.identityId, memberIds)),
    orm.delete(noticePlaces).where(eq(noticePlaces.teamId, id)),
    orm.delete(apiKeys).where(inArray(apiKeys.identityId, memberIds)),
    orm.delete(identities).where(eq(identities.teamId, id)),
    orm.delete(teams).where(eq(teams.id, id)),
  ]) {
    yield query;
  }
  yield* note(context, "team.deleted", team);
  return true;
}

function* find({ orm, tables: { teams } }: ReadContext, id: string): Work<TeamRecord | undefined> {
  return (yield* rowsOf(orm.select().from(teams).where(eq(teams.id, id))))[0];
}

function* update(
  { orm, tables: { teams } }: ChangeContext,
  before: TeamRecord,
  set: Partial<Pick<TeamRecord, "name" | "quotaBytes" | "rules">>,
): Work<TeamRecord> {
  yield* rowsOf(orm.update(teams).set(set).where(eq(teams.id, before.id)));
  return { ...before, ...set };
}

function note(context: ChangeContext, action: AdminAction, team: TeamRecord, details?: AdminDetails): Work<void> {
  return recordOf(context, action, { ...team, teamId: team.id, teamName: team.name }, details);
}

/** Builds a subquery for the IDs of all identities of a team. */
function members({ orm, tables: { identities } }: ReadContext, teamId: string) {
  return orm.select({ id: identities.id }).from(identities).where(eq(identities.teamId, teamId));
}

function* hasLive({ orm, tables: { requests, secrets }, clock }: ChangeContext, teamId: string): Work<boolean> {
  for (const table of [secrets, requests]) {
    const { id, state, expiresAt } = table as typeof secrets;
    const isLive = and(eq(table.teamId, teamId), inArray(sql`${state}`, LIVE_STATES), gt(expiresAt, clock.now()));
    if ((yield* rowsOf(orm.select({ id }).from(table).where(isLive).limit(1))).length > 0) return true;
  }
  return false;
}
