import type { Scope } from "../contract/scopes.ts";
import { tokenHint } from "../contract/tokens.ts";
import { AdminError, getTeam } from "./administration.ts";
import type { AdminDeps } from "./administration.ts";
import { disabledText, newIdentity } from "./identities.ts";
import { checkName } from "./names.ts";
import type { KeyRecord } from "./ports/identities.ts";
import { toName } from "./values/name-forms.ts";
import { formatNetwork, hasHostBits, parseNetwork } from "./values/networks.ts";
import { createToken, hashToken } from "./values/tokens.ts";

/** A new key and its token, which is not stored. */
export interface MintedKey {
  readonly key: KeyRecord;
  readonly token: string;
}

const MAX_LIFETIME_MS = 100 * 365 * 86_400_000;
const MAX_NETWORKS = 20;

/**
 * Creates a key for an identity of a team, and the identity if it is new. An existing identity keeps its scopes. Throws
 * AdminError for an unknown team, an invalid name, expiry or network, and as `holderOf` does.
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
    /** Addresses and CIDR ranges; without any, the key works from everywhere. */
    readonly networks?: readonly string[] | undefined;
  },
): Promise<MintedKey> {
  const networks = toNetworks(input.networks);
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
  const { key, token } = mintKey(deps, { identity: wanted, name, expiresAt: input.expiresAt, networks });
  return { key: await deps.store.createKey(key, hashToken(token)), token };
}

/**
 * The networks of a KeyRecord, each once; null without any. Throws AdminError for what is no IP address or CIDR range,
 * and for a range that is written with another address than its first.
 */
function toNetworks(values: readonly string[] = []): string | null {
  if (values.length === 0) return null;
  if (values.length > MAX_NETWORKS) throw new AdminError(`a key has at most ${MAX_NETWORKS} networks`, "usage");
  const networks = values.map((value) => {
    const network = parseNetwork(value);
    if (!network) throw new AdminError(`'${value}' is no IP address or CIDR range such as 10.0.0.0/8`, "usage");
    if (!hasHostBits(network)) return formatNetwork(network);
    const [address] = value.split("/");
    throw new AdminError(
      `'${value}' doesn't begin with the network's first address: write that one, or ${address} for a single address`,
      "usage",
    );
  });
  return [...new Set(networks)].join(" ");
}

function mintKey(deps: AdminDeps, wanted: Pick<KeyRecord, "identity" | "name" | "expiresAt" | "networks">): MintedKey {
  const token = createToken("apiKey", deps.random);
  const key: KeyRecord = {
    ...wanted,
    id: deps.ids.next("key"),
    hint: tokenHint(token),
    createdAt: deps.clock.now(),
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
 * as long as the old one was meant to, and without `networks` it works from where the old one does. Throws AdminError
 * for an unknown key, one that has a successor, has ended or belongs to a disabled identity, and for an invalid expiry
 * or network.
 */
export async function rotateKey(
  deps: AdminDeps,
  input: {
    readonly id: string;
    readonly overlapSeconds: number;
    readonly expiresAt: number | undefined;
    readonly networks?: readonly string[] | undefined;
  },
): Promise<MintedKey> {
  const old = await getKey(deps, input.id);
  const now = deps.clock.now();
  checkRotatable(old, now);
  const lifetime = old.expiresAt === null ? null : old.expiresAt - old.createdAt;
  const expiresAt = input.expiresAt ?? (lifetime === null ? null : now + lifetime);
  checkEnd(deps, expiresAt);
  const end = Math.min(old.expiresAt ?? Infinity, now + input.overlapSeconds * 1000);
  checkEnd(deps, end);
  const { identity, name } = old;
  const networks = input.networks ? toNetworks(input.networks) : old.networks;
  const minted = mintKey(deps, { identity, name, expiresAt, networks });
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
