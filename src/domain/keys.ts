import { isId } from "../contract/ids.ts";
import type { Scope } from "../contract/scopes.ts";
import { tokenHint } from "../contract/tokens.ts";
import { UserError } from "../contract/user-errors.ts";
import type { AdminStore, IdentityRecord, KeyRecord, TeamRecord } from "./identity-ports.ts";
import type { Clock, Ids, Random } from "./ports.ts";
import { createToken, hashToken } from "./tokens.ts";

export interface AdminDeps {
  readonly store: AdminStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
}

/** An admin asked for what cannot be; the message says what to do. */
export class AdminError extends UserError {
  override readonly name = "AdminError";

  constructor(message: string) {
    super("failure", message);
  }
}

/** A new key and its token, which is nowhere else and cannot be had again. */
export interface MintedKey {
  readonly key: KeyRecord;
  readonly token: string;
}

const MAX_LIFETIME_MS = 100 * 365 * 86_400_000;
const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._@ -]{0,63}$/;

/** Makes a team. Throws AdminError when the name is malformed or taken. */
export async function createTeam(deps: AdminDeps, name: string): Promise<TeamRecord> {
  checkName("team", name);
  const team = { id: deps.ids.next("team"), name, createdAt: deps.clock.now(), storedBytes: 0 };
  if ((await deps.store.createTeam(team)) === "name_taken") throw new AdminError(`there is already a team '${name}'`);
  return team;
}

/** The team with this name or id. Throws AdminError when there is none. */
export async function getTeam(deps: AdminDeps, nameOrId: string): Promise<TeamRecord> {
  const team = (await deps.store.listTeams()).find((each) => each.id === nameOrId || each.name === nameOrId);
  if (!team) throw new AdminError(`there is no team '${nameOrId}'; 'handoff admin team list' lists them`);
  return team;
}

/**
 * Mints a key for an identity of a team, and makes the identity if it is new. An identity that exists keeps its scopes:
 * throws AdminError when other ones are asked for, when it is disabled, or when a new one has none.
 */
export async function createKey(
  deps: AdminDeps,
  input: {
    readonly team: string;
    readonly identity: string;
    readonly scopes: readonly Scope[];
    readonly name: string | null;
    /** Epoch milliseconds; null never. */
    readonly expiresAt: number | null;
  },
): Promise<MintedKey> {
  const team = await getTeam(deps, input.team);
  if (input.name !== null) checkName("key", input.name);
  checkEnd(deps, input.expiresAt);
  const identity = await takeIdentity(deps, team, input.identity, input.scopes);
  const minted = mintKey(deps, identity, input.name, input.expiresAt);
  await deps.store.createKey(minted.key, hashToken(minted.token));
  return minted;
}

function checkReuse(identity: IdentityRecord, scopes: readonly Scope[]): void {
  if (identity.kind === "person") throw new AdminError(`'${identity.name}' is a person, and people hold no API keys`);
  if (identity.disabledAt !== null) throw new AdminError(disabled(identity));
  const same = scopes.length === 0 || new Set(scopes).symmetricDifference(new Set(identity.scopes)).size === 0;
  if (!same) {
    throw new AdminError(
      `the identity '${identity.name}' has the scopes ${identity.scopes.join(" ")}; all its keys have these. ` +
        "Leave --scope out, name another identity, or change them with 'handoff admin identity scopes'",
    );
  }
}

/** The identity of this name or id, or a new one: another command may be making it at the same time. */
async function takeIdentity(
  deps: AdminDeps,
  team: TeamRecord,
  nameOrId: string,
  scopes: readonly Scope[],
): Promise<IdentityRecord> {
  for (;;) {
    const known = (await deps.store.listIdentities(team.id)).find(
      ({ id, name }) => nameOrId === name || nameOrId === id,
    );
    if (known) {
      checkReuse(known, scopes);
      return known;
    }
    const fresh = describeIdentity(deps, team, nameOrId, scopes);
    if ((await deps.store.createIdentity(fresh)) === "created") return fresh;
  }
}

function describeIdentity(deps: AdminDeps, team: TeamRecord, name: string, scopes: readonly Scope[]): IdentityRecord {
  checkName("identity", name);
  if (scopes.length === 0) {
    throw new AdminError(`the identity '${name}' is new: say with --scope what it may do`);
  }
  return {
    id: deps.ids.next("identity"),
    kind: "automation",
    teamId: team.id,
    teamName: team.name,
    name,
    scopes: [...new Set(scopes)],
    createdAt: deps.clock.now(),
    disabledAt: null,
  };
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

/** The key with this id. Throws AdminError when there is none. */
export async function getKey(deps: AdminDeps, id: string): Promise<KeyRecord> {
  const key = (await deps.store.listKeys(undefined)).find((each) => each.id === id);
  if (!key) throw new AdminError(`there is no key '${id}'; 'handoff admin key list' lists them`);
  return key;
}

/**
 * Mints the successor of a key and lets the old one live on for `overlapSeconds`. Unless `expiresAt` says otherwise, the
 * new one lives as long as the old one was meant to. Throws AdminError for a key that has a successor or has ended.
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
  // Another command was faster, with this key: what it did is the reason.
  return isDone ? minted : rotateKey(deps, input);
}

/** Revokes the successor `newId` that nobody has, and gives the key that it replaced back what it was `before`. */
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
  if (key.identity.disabledAt !== null) throw new AdminError(disabled(key.identity));
}

function disabled({ name }: IdentityRecord): string {
  return `the identity '${name}' is disabled; 'handoff admin identity enable' enables it again`;
}

/** Ends a key at once. A revoked one stays as it is. Throws AdminError when there is none. */
export async function revokeKey(deps: AdminDeps, id: string): Promise<KeyRecord> {
  await getKey(deps, id);
  await deps.store.revokeKey(id);
  return getKey(deps, id);
}

function checkEnd({ clock }: AdminDeps, end: number | null): void {
  if (end === null || end <= clock.now() + MAX_LIFETIME_MS) return;
  throw new AdminError("that is more than a hundred years ahead: leave --expires out for a key that never expires");
}

/** Throws AdminError for what is no name, or looks like an id. */
export function checkName(kind: string, name: string): void {
  if (isId(name, "any")) throw new AdminError(`not a name for ${article(kind)} ${kind}: it looks like an id`);
  if (NAME_PATTERN.test(name)) return;
  throw new AdminError(
    `not a name for ${article(kind)} ${kind}: 1 to 64 letters, digits, spaces and . _ @ -, beginning with a letter or digit`,
  );
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}
