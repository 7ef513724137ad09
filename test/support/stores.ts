import type { IdentityRecord, KeyRecord } from "../../src/domain/ports/identities.ts";
import type { NewSession } from "../../src/domain/ports/persons.ts";
import type { NewRequest } from "../../src/domain/ports/requests.ts";
import type { ClaimOutcome, NewSecret } from "../../src/domain/ports/secrets.ts";
import type { Ids } from "../../src/domain/ports/sources.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import { createMonotonicClock } from "../../src/domain/values/clocks.ts";
import type { MonotonicClock } from "../../src/domain/values/clocks.ts";
import { createIds } from "../../src/domain/values/ids.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import type { TestStorage } from "./storages.ts";
import { createTestClock } from "./test-clocks.ts";
import type { TestClock } from "./test-clocks.ts";

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
/** The time that the stores under test keep tombstones. */
export const TOMBSTONE_MS = 30 * DAY;
/** The replay window that `callOf` asks for. */
export const REPLAY_MS = 5 * MINUTE;

/** The admin of the stores under test. */
export const OPERATOR = { user: "root", sudoUser: "ann" } as const;

/** A store with what it was given to work with. */
export interface WorkingStore {
  readonly store: Store;
  readonly clock: MonotonicClock;
  readonly ids: Ids;
}

/** A store of any engine, empty at first, and a look past it. After `reopen` it is another one, with another clock. */
export interface StoreUnderTest
  extends WorkingStore, Pick<TestStorage, "eventBytes" | "run" | "checkLog" | "look" | "holds">, AsyncDisposable {
  /** The clock that a test moves. */
  readonly time: TestClock;
  /** Closes the store and opens it over what it has kept, as after a restart. */
  reopen(): Promise<void>;
}

/** Opens a store that is empty, and keeps tombstones for `TOMBSTONE_MS`. */
export type OpenStore = () => Promise<StoreUnderTest>;

/** Opens a store over `storage`, which goes with it. */
export async function openUnderTest(storage: TestStorage): Promise<StoreUnderTest> {
  const time = createTestClock();
  const open = async (): Promise<WorkingStore> => {
    const clock = createMonotonicClock(time);
    const ids = createIds(clock, systemRandom);
    const store = await storage.open({ clock, ids, tombstoneSeconds: TOMBSTONE_MS / 1000, operator: OPERATOR });
    return { clock, ids, store };
  };
  let current = await open();
  return {
    time,
    get store() {
      return current.store;
    },
    get clock() {
      return current.clock;
    },
    get ids() {
      return current.ids;
    },
    eventBytes: storage.eventBytes,
    run: (sql) => storage.run(sql),
    checkLog: (hash) => storage.checkLog(hash),
    look: () => storage.look(),
    holds: (text) => storage.holds(text),
    async reopen() {
      await current.store.close();
      current = await open();
    },
    async [Symbol.asyncDispose]() {
      await current.store.close();
      await storage[Symbol.asyncDispose]();
    },
  };
}

/** A SHA-256 that belongs to `text`. */
export function hashOf(text: string): Uint8Array {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}

/** The call with this idempotency key; `content` is what it asks for. */
export function callOf(key: string, content = "") {
  return { digest: hashOf(key), fingerprint: hashOf(content) };
}

/** Creates a team and returns its id. */
export async function addTeam({ store, ids, clock }: WorkingStore, name = "team"): Promise<string> {
  const team = { id: ids.next("team"), name, createdAt: clock.now(), storedBytes: 0, quotaBytes: null, rules: null };
  if ((await store.createTeam(team)) !== "created") throw new Error("the name is taken");
  return team.id;
}

/** Creates an identity in the team and returns it. */
export async function addIdentity(
  { store, ids, clock }: WorkingStore,
  teamId: string,
  kind: IdentityRecord["kind"] = "automation",
  given?: { readonly name: string; readonly teamName?: string; readonly scopes?: IdentityRecord["scopes"] },
): Promise<IdentityRecord> {
  const id = ids.next("identity");
  const { name = id, teamName = "team", scopes = ["secrets:read"] } = given ?? {};
  const rest = { personName: null, createdAt: clock.now(), disabledAt: null };
  const identity: IdentityRecord = { id, kind, teamId, teamName, name, scopes, ...rest };
  if ((await store.createIdentity(identity)) !== "created") throw new Error("the name is taken");
  return identity;
}

/** A session to be stored, with the hash of `name`. */
export function newSession({ ids, clock }: WorkingStore, name: string): NewSession {
  const described = { browser: "Firefox", system: "Linux", expiresAt: clock.now() + 2 * DAY };
  return { id: ids.next("session"), tokenHash: hashOf(name), ...described };
}

/** A key of `identity` that is not stored yet. */
export function newKey({ ids, clock }: WorkingStore, identity: IdentityRecord): KeyRecord {
  return {
    id: ids.next("key"),
    identity,
    name: null,
    hint: "hak_abcd",
    createdAt: clock.now(),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    exposedAt: null,
    successorId: null,
    networks: null,
  };
}

/**
 * A secret that is not stored yet: an hour, one claim, no quota, and its id as ciphertext, unless `change` says
 * otherwise.
 */
export function newSecret(
  { ids, clock }: WorkingStore,
  teamId: string,
  change: Partial<NewSecret["record"]> & Partial<Omit<NewSecret, "record">> = {},
): NewSecret {
  const id = ids.next("secret");
  const { ciphertext = `text-of-${id}`, claimTokenHash = hashOf(id), quotaBytes = Infinity, call, ...rest } = change;
  return {
    record: {
      id,
      teamId,
      state: "available",
      envelopeVersion: 1,
      ciphertextBytes: ciphertext.length,
      ciphertextFormat: "unrecognized",
      createdAt: clock.now(),
      expiresAt: clock.now() + 60 * MINUTE,
      maxClaims: 1,
      claims: 0,
      endedAt: null,
      createdBy: null,
      requestId: null,
      senderId: null,
      reference: null,
      addressees: null,
      approval: null,
      ...rest,
    },
    ciphertext,
    claimTokenHash,
    quotaBytes,
    call,
  };
}

/** A request that is not stored yet: an hour, one submission, a note and no quota, unless `change` says otherwise. */
export function newRequest(
  { ids, clock }: WorkingStore,
  teamId: string,
  change: Partial<NewRequest["record"]> & Partial<Omit<NewRequest, "record">> = {},
): NewRequest {
  const id = ids.next("request");
  const note = "note" in change ? change.note : ({ version: 1, ciphertext: `note-of-${id}` } as const);
  const { submitTokenHash = hashOf(id), quotaBytes = Infinity, call, note: _note, ...rest } = change;
  return {
    record: {
      id,
      teamId,
      state: "open",
      recipient: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
      createdAt: clock.now(),
      expiresAt: clock.now() + 60 * MINUTE,
      maxSubmissions: 1,
      submissionCount: 0,
      endedAt: null,
      createdBy: null,
      askerId: null,
      reference: null,
      addressees: null,
      ...rest,
    },
    note,
    submitTokenHash,
    quotaBytes,
    call,
  };
}

/** Stores a secret and returns its record. Throws when that is refused. */
export async function addSecret(
  place: WorkingStore,
  teamId: string,
  change: Parameters<typeof newSecret>[2] = {},
): Promise<NewSecret["record"]> {
  const { kind, ...rest } = await place.store.createSecret(newSecret(place, teamId, change));
  if (!("secret" in rest)) throw new Error(kind);
  return rest.secret;
}

/** Stores a request and returns its record. Throws when that is refused. */
export async function addRequest(
  place: WorkingStore,
  teamId: string,
  change: Parameters<typeof newRequest>[2] = {},
): Promise<NewRequest["record"]> {
  const { kind, ...rest } = await place.store.createRequest(newRequest(place, teamId, change));
  if (!("request" in rest)) throw new Error(kind);
  return rest.request;
}

/** Hands a secret in for `request`. */
export function submit(
  place: WorkingStore,
  request: { readonly id: string; readonly teamId: string },
  change: Parameters<typeof newSecret>[2] = {},
) {
  const secret = newSecret(place, request.teamId, { ...change, requestId: request.id });
  return place.store.submitSecret({ ...secret, requestId: request.id });
}

/** Claims a secret, so that the claim can be repeated when there is a `key`. */
export function claim(
  { store, clock }: WorkingStore,
  { id, teamId }: { readonly id: string; readonly teamId: string },
  key?: string,
): Promise<ClaimOutcome | undefined> {
  const call = key === undefined ? undefined : { ...callOf(key), replayUntil: clock.now() + REPLAY_MS };
  return store.claimSecret({ id, teamId, actorId: null, call });
}

/** Sweeps until nothing is due. */
export async function sweepAll({ store }: WorkingStore): Promise<void> {
  while (await store.sweep(100));
}

/** The types of the events of a team, oldest first, each with the id of its secret or request. */
export async function toldOf({ store }: WorkingStore, teamId: string): Promise<string[]> {
  const events = await store.listEvents(teamId, undefined, 1000);
  return events.map(({ type, secretId, requestId }) => `${type} ${secretId ?? requestId}`);
}
