import { and, asc, eq, gt, inArray, isNull, or } from "drizzle-orm";
import type { AdminAction, AdminDetails } from "../../../domain/ports/admin-log.ts";
import type { AdminStore } from "../../../domain/ports/admin.ts";
import type { TeamRecord } from "../../../domain/ports/identities.ts";
import { recordNote } from "../admin-log.ts";
import type { StoreContext } from "../engine/context.ts";
import type { Orm } from "../engine/database.ts";
import {
  apiKeys,
  events,
  identities,
  installations,
  personTokens,
  requests,
  secrets,
  serverSettings,
  teams,
  webhookDeliveries,
  webhooks,
} from "../schema.ts";
import { emptyTeam, eraseAll } from "./emptying.ts";

type TeamPart = Pick<
  AdminStore,
  | "createTeam"
  | "renameTeam"
  | "setTeamQuota"
  | "closeTeam"
  | "emptyTeam"
  | "deleteTeam"
  | "listTeams"
  | "findTeam"
  | "keepTeamQuota"
  | "findTeamQuota"
  | "findInstallation"
>;

export function createTeamPart(context: StoreContext): TeamPart {
  const { database, writer } = context;
  const findTeamQuota = async () => (await database.orm.select().from(serverSettings))[0]?.teamQuotaBytes;
  return {
    ...createTeamChanges(context),
    ...createTeamEndings(context),
    listTeams: () => database.orm.select().from(teams).orderBy(asc(teams.id)),
    async findTeam(nameOrId) {
      const [team] = await database.orm
        .select()
        .from(teams)
        .where(or(eq(teams.id, nameOrId), eq(teams.name, nameOrId)));
      return team;
    },
    findTeamQuota,
    async keepTeamQuota(teamQuotaBytes) {
      // A server that starts as it did before writes nothing.
      if ((await findTeamQuota()) === teamQuotaBytes) return;
      await writer.alone(async ({ orm }) => {
        await orm
          .insert(serverSettings)
          .values({ id: 1, teamQuotaBytes })
          .onConflictDoUpdate({ target: serverSettings.id, set: { teamQuotaBytes } });
      });
    },
    async findInstallation() {
      const [row] = await database.orm.select().from(installations);
      if (!row) throw new Error("the row that its migration made is gone");
      return row.publicId;
    },
  };
}

async function find(orm: Orm, id: string): Promise<TeamRecord | undefined> {
  const [team] = await orm.select().from(teams).where(eq(teams.id, id));
  return team;
}

function noteTeam(
  context: StoreContext,
  orm: Orm,
  action: AdminAction,
  { id, name }: TeamRecord,
  details: AdminDetails = {},
): Promise<void> {
  return recordNote(context, orm, { action, subjectId: id, subjectName: name, teamId: id, teamName: name, details });
}

function createTeamChanges(context: StoreContext): Pick<TeamPart, "createTeam" | "renameTeam" | "setTeamQuota"> {
  const { writer } = context;
  return {
    createTeam: (team) =>
      writer.alone(async ({ orm }) => {
        const inserted = await orm
          .insert(teams)
          .values(team)
          .onConflictDoNothing({ target: teams.name })
          .returning({ id: teams.id });
        if (inserted.length === 0) return "name_taken";
        await noteTeam(context, orm, "team.created", team);
        return "created";
      }),
    renameTeam: (id, name) =>
      writer.alone(async ({ orm }) => {
        const before = await find(orm, id);
        if (!before || before.name === name) return before;
        if ((await orm.select().from(teams).where(eq(teams.name, name))).length > 0) return "name_taken";
        await orm.update(teams).set({ name }).where(eq(teams.id, id));
        const after = { ...before, name };
        await noteTeam(context, orm, "team.renamed", after, { former_name: before.name });
        return after;
      }),
    setTeamQuota: (id, quotaBytes) =>
      writer.alone(async ({ orm }) => {
        const before = await find(orm, id);
        if (!before || before.quotaBytes === quotaBytes) return before;
        await orm.update(teams).set({ quotaBytes }).where(eq(teams.id, id));
        const details = { quota_bytes: quotaBytes, former_quota_bytes: before.quotaBytes };
        await noteTeam(context, orm, "team.quota_changed", before, details);
        return { ...before, quotaBytes };
      }),
  };
}

/** A team is deleted in steps, so that a large one holds nobody up: closed, emptied, and then gone. */
function createTeamEndings(context: StoreContext): Pick<TeamPart, "closeTeam" | "emptyTeam" | "deleteTeam"> {
  const { writer, clock } = context;
  return {
    closeTeam: (id, force) =>
      writer.alone(async ({ orm }) => {
        const team = await find(orm, id);
        if (!team) return undefined;
        if (!force && (await hasLive(orm, id, clock.now()))) return "live";
        const closed = await orm
          .update(identities)
          .set({ disabledAt: clock.now() })
          .where(and(eq(identities.teamId, id), isNull(identities.disabledAt)))
          .returning({ id: identities.id });
        await orm.delete(personTokens).where(inArray(personTokens.identityId, members(orm, id)));
        if (closed.length > 0) await noteTeam(context, orm, "team.closed", team);
        return "closed";
      }),
    emptyTeam: (id) => emptyTeam(context, id),
    deleteTeam: (id) =>
      writer.alone(async ({ orm }) => {
        const team = await find(orm, id);
        if (!team) return false;
        // Calls that were under way when the team was closed.
        await eraseAll(orm, id);
        const ofTeam = orm.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.teamId, id));
        await orm.delete(webhookDeliveries).where(inArray(webhookDeliveries.webhookId, ofTeam));
        await orm.delete(webhooks).where(eq(webhooks.teamId, id));
        await orm.delete(events).where(eq(events.teamId, id));
        await orm.delete(personTokens).where(inArray(personTokens.identityId, members(orm, id)));
        await orm.delete(apiKeys).where(inArray(apiKeys.identityId, members(orm, id)));
        await orm.delete(identities).where(eq(identities.teamId, id));
        await orm.delete(teams).where(eq(teams.id, id));
        await noteTeam(context, orm, "team.deleted", team);
        return true;
      }),
  };
}

/** The ids of all identities of a team, for a statement. */
function members(orm: Orm, teamId: string) {
  return orm.select({ id: identities.id }).from(identities).where(eq(identities.teamId, teamId));
}

async function hasLive(orm: Orm, teamId: string, now: number): Promise<boolean> {
  const secret = await orm
    .select({ id: secrets.id })
    .from(secrets)
    .where(and(eq(secrets.teamId, teamId), eq(secrets.state, "available"), gt(secrets.expiresAt, now)))
    .limit(1);
  const request = await orm
    .select({ id: requests.id })
    .from(requests)
    .where(and(eq(requests.teamId, teamId), inArray(requests.state, ["open", "paused"]), gt(requests.expiresAt, now)))
    .limit(1);
  return secret.length > 0 || request.length > 0;
}
