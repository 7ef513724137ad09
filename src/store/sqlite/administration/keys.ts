import { and, eq, isNull } from "drizzle-orm";
import { holderOf } from "../../../domain/identities.ts";
import type { AdminAction, AdminDetails } from "../../../domain/ports/admin-log.ts";
import type { KeyRecord } from "../../../domain/ports/identities.ts";
import type { AdminLogWriter } from "../admin-log.ts";
import { selectKeys, toKeyRecord } from "../credentials.ts";
import type { StoreContext } from "../engine/context.ts";
import { findIdentities, insertIdentity } from "../identities.ts";
import { apiKeys } from "../schema.ts";
import { noteIdentity } from "./identities.ts";
import { changesKeys } from "./key-changes.ts";

interface NewKey {
  readonly key: KeyRecord;
  readonly tokenHash: Uint8Array;
}

/** The key with this id; undefined when there is none. */
export function findKey(context: Pick<StoreContext, "orm">, id: string): KeyRecord | undefined {
  const row = selectKeys(context).where(eq(apiKeys.id, id)).get();
  return row && toKeyRecord(row);
}

export function keyOperations(context: StoreContext, log: AdminLogWriter) {
  const { orm, clock } = context;

  const insertKey = ({ key: { identity, ...key }, tokenHash }: NewKey) =>
    void orm
      .insert(apiKeys)
      .values({ ...key, identityId: identity.id, tokenHash })
      .run();
  const note = (action: AdminAction, { id, name, identity }: KeyRecord, details: AdminDetails = {}) => {
    const { teamId, teamName } = identity;
    const whose = { identity_id: identity.id, identity: identity.name };
    log.record({ action, subjectId: id, subjectName: name, teamId, teamName, details: { ...whose, ...details } });
  };

  return {
    createKey: changesKeys(context, ({ key, tokenHash }: NewKey): KeyRecord => {
      const [known] = findIdentities(context, key.identity.name, key.identity.teamId);
      const identity = holderOf(known, key.identity);
      if (!known) {
        insertIdentity(context, identity);
        noteIdentity(log, "identity.created", identity, { scopes: identity.scopes });
      }
      const minted = { ...key, identity };
      insertKey({ key: minted, tokenHash });
      note("key.created", minted);
      return minted;
    }),
    revokeKey: changesKeys(context, ({ id }: { readonly id: string }) => {
      const revoked = orm
        .update(apiKeys)
        .set({ revokedAt: clock.now() })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        .returning({ id: apiKeys.id })
        .all();
      const key = findKey(context, id);
      if (key && revoked.length > 0) note("key.revoked", key);
      return key;
    }),
    replaceKey: changesKeys(
      context,
      (input: NewKey & { readonly replacedId: string; readonly replacedExpiresAt: number }) => {
        const { key, replacedId, replacedExpiresAt } = input;
        const replaced = orm
          .update(apiKeys)
          .set({ expiresAt: replacedExpiresAt, successorId: key.id })
          .where(and(eq(apiKeys.id, replacedId), isNull(apiKeys.successorId), isNull(apiKeys.revokedAt)))
          .returning({ id: apiKeys.id })
          .all();
        if (replaced.length === 0) return false;
        insertKey(input);
        note("key.rotated", { ...key, id: replacedId }, { successor_id: key.id });
        return true;
      },
    ),
    restoreKey: changesKeys(
      context,
      (input: { readonly id: string; readonly replacedId: string; readonly replacedExpiresAt: number | null }) => {
        const { id, replacedId, replacedExpiresAt } = input;
        orm.update(apiKeys).set({ revokedAt: clock.now() }).where(eq(apiKeys.id, id)).run();
        orm
          .update(apiKeys)
          .set({ expiresAt: replacedExpiresAt, successorId: null })
          .where(and(eq(apiKeys.id, replacedId), eq(apiKeys.successorId, id)))
          .run();
        const key = findKey(context, replacedId);
        if (key) note("key.rotation_undone", key, { revoked_id: id });
      },
    ),
  };
}
