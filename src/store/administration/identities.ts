import { and, asc, eq, isNull, or } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Scope } from "../../contract/scopes.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import { recordOf } from "./admin-log.ts";
import { removeNotices } from "./notices.ts";
import { endSignIns } from "./sessions.ts";
import { rowsOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

/** Selects identities with the names of their teams, oldest first; all of them without `where`. */
export function* selectIdentities(
  { orm, tables: { identities, teams } }: ReadContext,
  where: SQL | undefined,
): Work<IdentityRecord[]> {
  const rows = yield* rowsOf(
    orm
      .select({ identity: identities, teamName: teams.name })
      .from(identities)
      .innerJoin(teams, eq(identities.teamId, teams.id))
      .where(where)
      .orderBy(asc(identities.id)),
  );
  return rows.map(({ identity, teamName }) => ({ ...identity, teamName }));
}

export function listIdentities(context: ReadContext, teamId: string | undefined): Work<IdentityRecord[]> {
  return selectIdentities(context, inTeam(context, teamId));
}

export function findIdentities(
  context: ReadContext,
  nameOrId: string,
  teamId: string | undefined,
): Work<IdentityRecord[]> {
  const { id, name } = context.tables.identities;
  return selectIdentities(context, and(or(eq(id, nameOrId), eq(name, nameOrId)), inTeam(context, teamId)));
}

/** The condition that an identity belongs to a team; undefined, which matches every identity, without a team. */
export function inTeam({ tables: { identities } }: ReadContext, teamId: string | undefined): SQL | undefined {
  return teamId === undefined ? undefined : eq(identities.teamId, teamId);
}

/** Inserts an identity. Returns false, without any change, when its team has one of that name. */
export function* insertIdentity(
  { orm, tables: { identities } }: ChangeContext,
  { teamName: _teamName, ...identity }: IdentityRecord,
): Work<boolean> {
  const inserted = yield* rowsOf(
    orm
      .insert(identities)
      .values(identity)
      .onConflictDoNothing({ target: [identities.teamId, identities.name] })
      .returning({ id: identities.id }),
  );
  return inserted.length > 0;
}

export function* createIdentity(context: ChangeContext, identity: IdentityRecord): Work<"created" | "name_taken"> {
  if (!(yield* insertIdentity(context, identity))) return "name_taken";
  yield* recordOf(context, "identity.created", identity, { scopes: identity.scopes });
  return "created";
}

export function* renameIdentity(
  context: ChangeContext,
  id: string,
  name: string,
): Work<IdentityRecord | "name_taken" | undefined> {
  const before = yield* find(context, id);
  if (!before || before.name === name) return before;
  const { identities } = context.tables;
  const isTaken = and(eq(identities.teamId, before.teamId), eq(identities.name, name));
  if ((yield* selectIdentities(context, isTaken)).length > 0) return "name_taken";
  const after = yield* updateIdentity(context, before, { name });
  yield* recordOf(context, "identity.renamed", after, { former_name: before.name });
  return after;
}

export function* deleteIdentity(context: ChangeContext, id: string): Work<IdentityRecord | undefined> {
  const before = yield* find(context, id);
  if (!before) return undefined;
  const { orm } = context;
  const { apiKeys, identities } = context.tables;
  const keys = yield* rowsOf(orm.delete(apiKeys).where(eq(apiKeys.identityId, id)).returning({ id: apiKeys.id }));
  yield* rowsOf(orm.delete(identities).where(eq(identities.id, id)));
  yield* recordOf(context, "identity.deleted", before, { key_ids: keys.map((key) => key.id) });
  return before;
}

export function* disableIdentity(context: ChangeContext, id: string): Work<IdentityRecord | undefined> {
  const { orm, clock } = context;
  const { identities } = context.tables;
  const disabled = yield* rowsOf(
    orm
      .update(identities)
      .set({ disabledAt: clock.now() })
      .where(and(eq(identities.id, id), isNull(identities.disabledAt)))
      .returning({ id: identities.id }),
  );
  const after = yield* find(context, id);
  if (after) {
    yield* endSignIns(context, after);
    // A person who is let in again adds theirs anew. Their account stays, so that it is known as that of a removed one.
    const { passkeys } = context.tables;
    yield* rowsOf(orm.delete(passkeys).where(eq(passkeys.identityId, id)));
    yield* removeNotices(context, id);
  }
  if (after && disabled.length > 0) {
    yield* recordOf(context, after.kind === "person" ? "person.removed" : "identity.disabled", after);
  }
  return after;
}

export function* enableIdentity(context: ChangeContext, id: string): Work<IdentityRecord | undefined> {
  const before = yield* find(context, id);
  if (!before || before.disabledAt === null) return before;
  const after = yield* updateIdentity(context, before, { disabledAt: null });
  yield* recordOf(context, "identity.enabled", after);
  return after;
}

export function* setScopes(
  context: ChangeContext,
  id: string,
  scopes: readonly Scope[],
): Work<IdentityRecord | undefined> {
  const before = yield* find(context, id);
  if (!before) return undefined;
  const after = yield* updateIdentity(context, before, { scopes });
  yield* recordOf(context, "identity.scopes_changed", after, { scopes, former_scopes: before.scopes });
  return after;
}

/** Updates an existing identity, and returns it after that. */
export function* updateIdentity(
  { orm, tables: { identities } }: ChangeContext,
  before: IdentityRecord,
  set: Partial<Pick<IdentityRecord, "name" | "personName" | "scopes" | "disabledAt">>,
): Work<IdentityRecord> {
  yield* rowsOf(orm.update(identities).set(set).where(eq(identities.id, before.id)));
  return { ...before, ...set };
}

function* find(context: ReadContext, id: string): Work<IdentityRecord | undefined> {
  return (yield* selectIdentities(context, eq(context.tables.identities.id, id)))[0];
}
