import { and, eq, isNull } from "drizzle-orm";
import type { AdminStore } from "../../../domain/ports/admin.ts";
import { noteIdentity } from "../admin-log.ts";
import type { StoreContext } from "../engine/context.ts";
import type { Orm } from "../engine/database.ts";
import { findIdentities, insertIdentity, selectIdentities } from "../identities.ts";
import { apiKeys, identities, personTokens } from "../schema.ts";

type IdentityPart = Pick<
  AdminStore,
  | "createIdentity"
  | "listIdentities"
  | "findIdentities"
  | "renameIdentity"
  | "deleteIdentity"
  | "disableIdentity"
  | "enableIdentity"
  | "setScopes"
>;

export function createIdentityPart(context: StoreContext): IdentityPart {
  const { database, writer, clock } = context;
  const find = async (orm: Orm, id: string) => (await selectIdentities(orm, eq(identities.id, id)))[0];
  return {
    createIdentity: (identity) =>
      writer.alone(async ({ orm }) => {
        if (!(await insertIdentity(orm, identity))) return "name_taken";
        await noteIdentity(context, orm, "identity.created", identity, { scopes: identity.scopes });
        return "created";
      }),
    listIdentities: (teamId) =>
      selectIdentities(database.orm, teamId === undefined ? undefined : eq(identities.teamId, teamId)),
    findIdentities: (nameOrId, teamId) => findIdentities(database.orm, nameOrId, teamId),
    renameIdentity: (id, name) =>
      writer.alone(async ({ orm }) => {
        const before = await find(orm, id);
        if (!before || before.name === name) return before;
        const isTaken = and(eq(identities.teamId, before.teamId), eq(identities.name, name));
        if ((await selectIdentities(orm, isTaken)).length > 0) return "name_taken";
        await orm.update(identities).set({ name }).where(eq(identities.id, id));
        const after = { ...before, name };
        await noteIdentity(context, orm, "identity.renamed", after, { former_name: before.name });
        return after;
      }),
    deleteIdentity: (id) =>
      writer.alone(async ({ orm }) => {
        const before = await find(orm, id);
        if (!before) return undefined;
        const keys = await orm.delete(apiKeys).where(eq(apiKeys.identityId, id)).returning({ id: apiKeys.id });
        await orm.delete(identities).where(eq(identities.id, id));
        await noteIdentity(context, orm, "identity.deleted", before, { key_ids: keys.map((key) => key.id) });
        return before;
      }),
    disableIdentity: (id) =>
      writer.alone(async ({ orm }) => {
        const disabled = await orm
          .update(identities)
          .set({ disabledAt: clock.now() })
          .where(and(eq(identities.id, id), isNull(identities.disabledAt)))
          .returning({ id: identities.id });
        await orm.delete(personTokens).where(eq(personTokens.identityId, id));
        const after = await find(orm, id);
        if (after && disabled.length > 0) {
          await noteIdentity(context, orm, after.kind === "person" ? "person.removed" : "identity.disabled", after);
        }
        return after;
      }),
    enableIdentity: (id) =>
      writer.alone(async ({ orm }) => {
        const before = await find(orm, id);
        if (!before || before.disabledAt === null) return before;
        await orm.update(identities).set({ disabledAt: null }).where(eq(identities.id, id));
        await noteIdentity(context, orm, "identity.enabled", before);
        return { ...before, disabledAt: null };
      }),
    setScopes: (id, scopes) =>
      writer.alone(async ({ orm }) => {
        const before = await find(orm, id);
        if (!before) return undefined;
        await orm.update(identities).set({ scopes }).where(eq(identities.id, id));
        const after = { ...before, scopes };
        await noteIdentity(context, orm, "identity.scopes_changed", after, { scopes, former_scopes: before.scopes });
        return after;
      }),
  };
}
