import { and, eq, isNull } from "drizzle-orm";
import { holderOf } from "../../../domain/identities.ts";
import type { AdminAction, AdminDetails } from "../../../domain/ports/admin-log.ts";
import type { AdminStore } from "../../../domain/ports/admin.ts";
import type { KeyRecord } from "../../../domain/ports/identities.ts";
import { noteIdentity, recordNote } from "../admin-log.ts";
import { selectKeys } from "../credentials.ts";
import type { StoreContext } from "../engine/context.ts";
import type { Orm } from "../engine/database.ts";
import { findIdentities, insertIdentity } from "../identities.ts";
import { apiKeys, identities } from "../schema.ts";

type KeyPart = Pick<AdminStore, "createKey" | "findKey" | "listKeys" | "revokeKey" | "replaceKey" | "restoreKey">;

/** The key with this id; undefined when there is none. */
async function findKey(orm: Orm, id: string): Promise<KeyRecord | undefined> {
  const [key] = await selectKeys(orm, eq(apiKeys.id, id));
  return key;
}

async function insertKey(orm: Orm, { identity, ...key }: KeyRecord, tokenHash: Uint8Array): Promise<void> {
  await orm.insert(apiKeys).values({ ...key, identityId: identity.id, tokenHash });
}

export function createKeyPart(context: StoreContext): KeyPart {
  const { database, writer, clock } = context;
  const note = (orm: Orm, action: AdminAction, { id, name, identity }: KeyRecord, details: AdminDetails = {}) => {
    const { teamId, teamName } = identity;
    const whose = { identity_id: identity.id, identity: identity.name };
    const subject = { subjectId: id, subjectName: name, teamId, teamName };
    return recordNote(context, orm, { action, ...subject, details: { ...whose, ...details } });
  };
  return {
    createKey: (key, tokenHash) =>
      writer.alone(async ({ orm }) => {
        const [known] = await findIdentities(orm, key.identity.name, key.identity.teamId);
        const identity = holderOf(known, key.identity);
        if (!known) {
          await insertIdentity(orm, identity);
          await noteIdentity(context, orm, "identity.created", identity, { scopes: identity.scopes });
        }
        const minted = { ...key, identity };
        await insertKey(orm, minted, tokenHash);
        await note(orm, "key.created", minted);
        return minted;
      }),
    findKey: (id) => findKey(database.orm, id),
    listKeys: (teamId) => selectKeys(database.orm, teamId === undefined ? undefined : eq(identities.teamId, teamId)),
    revokeKey: (id) =>
      writer.alone(async ({ orm }) => {
        const revoked = await orm
          .update(apiKeys)
          .set({ revokedAt: clock.now() })
          .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
          .returning({ id: apiKeys.id });
        const key = await findKey(orm, id);
        if (key && revoked.length > 0) await note(orm, "key.revoked", key);
        return key;
      }),
    replaceKey: (key, tokenHash, replacedId, replacedExpiresAt) =>
      writer.alone(async ({ orm }) => {
        const replaced = await orm
          .update(apiKeys)
          .set({ expiresAt: replacedExpiresAt, successorId: key.id })
          .where(and(eq(apiKeys.id, replacedId), isNull(apiKeys.successorId), isNull(apiKeys.revokedAt)))
          .returning({ id: apiKeys.id });
        if (replaced.length === 0) return false;
        await insertKey(orm, key, tokenHash);
        await note(orm, "key.rotated", { ...key, id: replacedId }, { successor_id: key.id });
        return true;
      }),
    restoreKey: (id, replacedId, replacedExpiresAt) =>
      writer.alone(async ({ orm }) => {
        await orm.update(apiKeys).set({ revokedAt: clock.now() }).where(eq(apiKeys.id, id));
        await orm
          .update(apiKeys)
          .set({ expiresAt: replacedExpiresAt, successorId: null })
          .where(and(eq(apiKeys.id, replacedId), eq(apiKeys.successorId, id)));
        const key = await findKey(orm, replacedId);
        if (key) await note(orm, "key.rotation_undone", key, { revoked_id: id });
      }),
  };
}
