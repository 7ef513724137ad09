import { and, eq, isNull } from "drizzle-orm";
import type { Scope } from "../../../contract/scopes.ts";
import type { AdminAction, AdminDetails } from "../../../domain/ports/admin-log.ts";
import type { IdentityRecord } from "../../../domain/ports/identities.ts";
import type { AdminLogWriter } from "../admin-log.ts";
import type { StoreContext } from "../engine/context.ts";
import { insertIdentity, selectIdentities } from "../identities.ts";
import { apiKeys, identities, personTokens } from "../schema.ts";
import { changesKeys } from "./key-changes.ts";

/** Writes down what was done to `identity`. */
export function noteIdentity(
  log: AdminLogWriter,
  action: AdminAction,
  identity: IdentityRecord,
  details: AdminDetails = {},
): void {
  const { id, name, teamId, teamName } = identity;
  log.record({ action, subjectId: id, subjectName: name, teamId, teamName, details });
}

interface Chosen {
  readonly id: string;
}

export function identityOperations(context: StoreContext, log: AdminLogWriter) {
  const { orm, clock } = context;
  const find = (id: string): IdentityRecord | undefined => selectIdentities(context, eq(identities.id, id))[0];

  return {
    createIdentity: changesKeys(context, (identity: IdentityRecord) => {
      if (!insertIdentity(context, identity)) return "name_taken";
      noteIdentity(log, "identity.created", identity, { scopes: identity.scopes });
      return "created";
    }),
    renameIdentity: changesKeys(context, ({ id, name }: Chosen & { readonly name: string }) => {
      const before = find(id);
      if (!before || before.name === name) return before;
      const isTaken = selectIdentities(context, and(eq(identities.teamId, before.teamId), eq(identities.name, name)));
      if (isTaken.length > 0) return "name_taken";
      orm.update(identities).set({ name }).where(eq(identities.id, id)).run();
      const after = { ...before, name };
      noteIdentity(log, "identity.renamed", after, { former_name: before.name });
      return after;
    }),
    deleteIdentity: changesKeys(context, ({ id }: Chosen) => {
      const before = find(id);
      if (!before) return undefined;
      const keys = orm.delete(apiKeys).where(eq(apiKeys.identityId, id)).returning({ id: apiKeys.id }).all();
      orm.delete(identities).where(eq(identities.id, id)).run();
      noteIdentity(log, "identity.deleted", before, { key_ids: keys.map((key) => key.id) });
      return before;
    }),
    disableIdentity: changesKeys(context, ({ id }: Chosen) => {
      const disabled = orm
        .update(identities)
        .set({ disabledAt: clock.now() })
        .where(and(eq(identities.id, id), isNull(identities.disabledAt)))
        .returning({ id: identities.id })
        .all();
      orm.delete(personTokens).where(eq(personTokens.identityId, id)).run();
      const after = find(id);
      if (after && disabled.length > 0) {
        noteIdentity(log, after.kind === "person" ? "person.removed" : "identity.disabled", after);
      }
      return after;
    }),
    enableIdentity: changesKeys(context, ({ id }: Chosen) => {
      const before = find(id);
      if (!before || before.disabledAt === null) return before;
      orm.update(identities).set({ disabledAt: null }).where(eq(identities.id, id)).run();
      noteIdentity(log, "identity.enabled", before);
      return { ...before, disabledAt: null };
    }),
    setScopes: changesKeys(context, ({ id, scopes }: Chosen & { readonly scopes: readonly Scope[] }) => {
      const before = find(id);
      if (!before) return undefined;
      orm
        .update(identities)
        .set({ scopes: [...scopes] })
        .where(eq(identities.id, id))
        .run();
      const after = { ...before, scopes };
      noteIdentity(log, "identity.scopes_changed", after, { scopes, former_scopes: before.scopes });
      return after;
    }),
  };
}
