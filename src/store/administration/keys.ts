import { and, asc, eq, gt, isNull, min } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { holderOf } from "../../domain/identities.ts";
import type { AdminAction, AdminDetails } from "../../domain/ports/admin-log.ts";
import type { KeyRecord } from "../../domain/ports/identities.ts";
import type { KeyEnd } from "../../domain/ports/statistics.ts";
import { recordOf } from "./admin-log.ts";
import { findIdentities, insertIdentity, inTeam } from "./identities.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

/**
 * Selects keys with their identities, oldest first and without the hashes of their tokens; all of them without `where`.
 */
export function* selectKeys(
  { orm, tables: { apiKeys, identities, teams } }: ReadContext,
  where: SQL | undefined,
): Work<KeyRecord[]> {
  const rows = yield* rowsOf(
    orm
      .select({ key: apiKeys, identity: identities, teamName: teams.name })
      .from(apiKeys)
      .innerJoin(identities, eq(apiKeys.identityId, identities.id))
      .innerJoin(teams, eq(identities.teamId, teams.id))
      .where(where)
      .orderBy(asc(apiKeys.id)),
  );
  return rows.map(({ key: { tokenHash: _hash, identityId: _identity, ...key }, identity, teamName }) => ({
    ...key,
    identity: { ...identity, teamName },
  }));
}

export function listKeys(context: ReadContext, teamId: string | undefined): Work<KeyRecord[]> {
  return selectKeys(context, inTeam(context, teamId));
}

export function* findKey(context: ReadContext, id: string): Work<KeyRecord | undefined> {
  return (yield* selectKeys(context, eq(context.tables.apiKeys.id, id)))[0];
}

/** Returns the earliest expiry of an active key for each team that has one. */
export function* findKeyEnds(context: ReadContext): Work<KeyEnd[]> {
  const { apiKeys, identities } = context.tables;
  const isInForce = and(
    gt(apiKeys.expiresAt, yield* timeOf(context)),
    isNull(apiKeys.revokedAt),
    isNull(apiKeys.successorId),
    isNull(identities.disabledAt),
  );
  const ends = yield* rowsOf(
    context.orm
      .select({ teamId: identities.teamId, expiresAt: min(apiKeys.expiresAt) })
      .from(apiKeys)
      .innerJoin(identities, eq(apiKeys.identityId, identities.id))
      .where(isInForce)
      .groupBy(identities.teamId),
  );
  return ends.flatMap(({ teamId, expiresAt }): KeyEnd[] => (expiresAt === null ? [] : [{ teamId, expiresAt }]));
}

export function* createKey(context: ChangeContext, key: KeyRecord, tokenHash: Uint8Array): Work<KeyRecord> {
  const [known] = yield* findIdentities(context, key.identity.name, key.identity.teamId);
  const identity = holderOf(known, key.identity);
  if (!known) {
    yield* insertIdentity(context, identity);
    yield* recordOf(context, "identity.created", identity, { scopes: identity.scopes });
  }
  const minted = { ...key, identity };
  yield* insertKey(context, minted, tokenHash);
  yield* note(context, "key.created", minted, networksOf(minted));
  return minted;
}

export function* revokeKey(context: ChangeContext, id: string): Work<KeyRecord | undefined> {
  const { apiKeys } = context.tables;
  const revoked = yield* updateKey(context, and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)), {
    revokedAt: context.clock.now(),
  });
  const key = yield* findKey(context, id);
  if (key && revoked) yield* note(context, "key.revoked", key);
  return key;
}

export function* replaceKey(
  context: ChangeContext,
  key: KeyRecord,
  tokenHash: Uint8Array,
  replacedId: string,
  replacedExpiresAt: number,
): Work<boolean> {
  const { apiKeys } = context.tables;
  const condition = and(eq(apiKeys.id, replacedId), isNull(apiKeys.successorId), isNull(apiKeys.revokedAt));
  if (!(yield* updateKey(context, condition, { expiresAt: replacedExpiresAt, successorId: key.id }))) return false;
  yield* insertKey(context, key, tokenHash);
  yield* note(context, "key.rotated", { ...key, id: replacedId }, { successor_id: key.id, ...networksOf(key) });
  return true;
}

export function* restoreKey(
  context: ChangeContext,
  id: string,
  replacedId: string,
  replacedExpiresAt: number | null,
): Work<void> {
  const { apiKeys } = context.tables;
  yield* updateKey(context, eq(apiKeys.id, id), { revokedAt: context.clock.now() });
  const condition = and(eq(apiKeys.id, replacedId), eq(apiKeys.successorId, id));
  yield* updateKey(context, condition, { expiresAt: replacedExpiresAt, successorId: null });
  const key = yield* findKey(context, replacedId);
  if (key) yield* note(context, "key.rotation_undone", key, { revoked_id: id });
}

/** The key with this token hash, and when it was marked as exposed; undefined when there is none. */
export function* findExposure(
  context: ReadContext,
  tokenHash: Uint8Array,
): Work<{ readonly id: string; readonly exposedAt: number | null } | undefined> {
  const { apiKeys } = context.tables;
  const columns = { id: apiKeys.id, exposedAt: apiKeys.exposedAt };
  const [found] = yield* rowsOf(context.orm.select(columns).from(apiKeys).where(eq(apiKeys.tokenHash, tokenHash)));
  return found;
}

export function* markKeyExposed(context: ChangeContext, tokenHash: Uint8Array): Work<void> {
  const { apiKeys } = context.tables;
  const condition = and(eq(apiKeys.tokenHash, tokenHash), isNull(apiKeys.exposedAt));
  yield* updateKey(context, condition, { exposedAt: context.clock.now() });
}

export function* noteKeyRefusal(context: ChangeContext, keyId: string, network: string | null): Work<void> {
  const key = yield* findKey(context, keyId);
  if (!key) return;
  const nothing = { secretId: null, requestId: null, reference: null, address: null };
  const { id: actorId, teamId } = key.identity;
  context.append({ ...nothing, teamId, type: "key.refused", actorId, network });
}

/** Updates the keys that match `where`. Returns false when there is none. */
function* updateKey(
  { orm, tables: { apiKeys } }: ChangeContext,
  where: SQL | undefined,
  set: Partial<Pick<KeyRecord, "expiresAt" | "exposedAt" | "revokedAt" | "successorId">>,
): Work<boolean> {
  return (yield* rowsOf(orm.update(apiKeys).set(set).where(where).returning({ id: apiKeys.id }))).length > 0;
}

function* insertKey(
  { orm, tables: { apiKeys } }: ChangeContext,
  { identity, ...key }: KeyRecord,
  tokenHash: Uint8Array,
): Work<void> {
  yield* rowsOf(orm.insert(apiKeys).values({ ...key, identityId: identity.id, tokenHash }));
}

/** The networks of a new key, as the admin log has them. */
function networksOf({ networks }: KeyRecord): AdminDetails {
  return networks === null ? {} : { networks: networks.split(" ") };
}

function note(
  context: ChangeContext,
  action: AdminAction,
  { id, name, identity }: KeyRecord,
  details: AdminDetails = {},
): Work<void> {
  const whose = { identity_id: identity.id, identity: identity.name };
  return recordOf(context, action, { ...identity, id, name }, { ...whose, ...details });
}
