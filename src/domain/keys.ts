import type { Scope } from "../contract/scopes.ts";
import { tokenHint } from "../contract/tokens.ts";
import { AdminError, getTeam } from "./administration.ts";
import type { AdminDeps } from "./administration.ts";
import { disabledText, newIdentity } from "./identities.ts";
import { checkName } from "./names.ts";
import type { IdentityRecord, KeyRecord } from "./ports/identities.ts";
import { toName } from "./values/name-forms.ts";
import { createToken, hashToken } from "./values/tokens.ts";

/** A new key and its token, which is not stored. */
export interface MintedKey {
  readonly key: KeyRecord;
  readonly token: string;
}

const MAX_LIFETIME_MS = 100 * 365 * 86_400_000;

/**
 * Creates a key for an identity of a team, and the identity if it is new. An existing identity keeps its scopes. Throws
 * AdminError for an unknown team, an invalid name or expiry, and as `holderOf` does.
 */
export async function createKey(
  deps: AdminDeps,
  input: {
    readonly team: string;
    readonly identity: string;
    readonly scopes: readonly Scope[];
    readonly name: string | null;
    /** Epoch milliseconds; null for never. */
    readonly expiresAt: number | null;
  },
): Promise<MintedKey> {
  const team = await getTeam(deps, input.team);
  const name = input.name === null ? null : toName(input.name);
  if (name !== null) checkName("key", name);
  checkEnd(deps, input.expiresAt);
  const wanted = newIdentity(deps, team, {
    kind: "automation",
    name: input.identity,
    personName: null,
    scopes: input.scopes,
  });
  const { key, token } = mintKey(deps, wanted, name, input.expiresAt);
  return { key: await deps.store.createKey(key, hashToken(token)), token };
}

function mintKey(deps: AdminDeps, identity: IdentityRecord, name: string | null, expiresAt: number | null): MintedKey {
  const token = createToken("apiKey", deps.random);
  const key: KeyRecord = {
    id: deps.ids.next("key"),
    identity,
    name,
    hint: tokenHint(token),
    createdAt: deps.clock.now(),
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    exposedAt: null,
    successorId: null,
  };
  return { key, token };
}

/** Finds a key by id. Throws AdminError when there is none. */
export async function getKey(deps: AdminDeps, id: string): Promise<KeyRecord> {
  return found(id, await deps.store.findKey(id));
}

/**
 * Creates the successor of a key; the old key stays valid for `overlapSeconds`. Without `expiresAt`, the new key lives
 * as long as the old one was meant to. Throws AdminError for an unknown key, one that has a successor, has ended or
 * belongs to a disabled identity, and for an invalid expiry.
 */
export async function rotateKey(
  deps: AdminDeps,
  input: { readonly id: string; readonly overlapSeconds: number; readonly expiresAt: number | undefined },
): Promise<MintedKey> {
  const old = await getKey(deps, input.id);
  const now = deps.clock.now();
  checkRotatable(old, now);
  const lifetime = old.expiresAt === null ? null : old.expiresAt - old.createdAt;
  const expiresAt = input.expiresAt ?? (lifetime === null ? null : now + lifetime);
  checkEnd(deps, expiresAt);
  const end = Math.min(old.expiresAt ?? Infinity, now + input.overlapSeconds * 1000);
  checkEnd(deps, end);
  const minted = mintKey(deps, old.identity, old.name, expiresAt);
  const isDone = await deps.store.replaceKey(minted.key, hashToken(minted.token), old.id, end);
  // Another command changed the key meanwhile; its change explains the failure.
  return isDone ? minted : rotateKey(deps, input);
}

/**
 * Undoes a rotation: revokes the successor `newId`, whose token was never shown, and restores the old key as it was
 * `before`.
 */
export async function undoRotation(deps: AdminDeps, newId: string, before: KeyRecord): Promise<void> {
  await deps.store.restoreKey(newId, before.id, before.expiresAt);
}

function checkRotatable(key: KeyRecord, now: number): void {
  if (key.successorId !== null) {
    throw new AdminError(
      `the key '${key.id}' was rotated already: its successor is '${key.successorId}'. Rotate that one, or mint a new key with 'handoff admin key create'`,
    );
  }
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    throw new AdminError(`the key '${key.id}' has ended; mint a new one with 'handoff admin key create'`);
  }
  if (key.identity.disabledAt !== null) throw new AdminError(disabledText(key.identity));
}

/** Revokes a key at once. A revoked key stays as it is. Throws AdminError when there is none. */
export async function revokeKey(deps: AdminDeps, id: string): Promise<KeyRecord> {
  return found(id, await deps.store.revokeKey(id));
}

function found(id: string, key: KeyRecord | undefined): KeyRecord {
  if (!key) throw new AdminError(`there is no key '${id}'; 'handoff admin key list' lists them`);
  return key;
}

function checkEnd({ clock }: AdminDeps, end: number | null): void {
  if (end === null || end <= clock.now() + MAX_LIFETIME_MS) return;
  throw new AdminError(
    "that is more than a hundred years ahead: leave --expires out for a key that never expires",
    "usage",
  );
}
