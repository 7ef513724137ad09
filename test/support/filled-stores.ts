import { join } from "node:path";
import { textOf } from "../../src/contract/ciphertexts.ts";
import type { ClaimOutcome } from "../../src/domain/ports/secrets.ts";
import { createMonotonicClock } from "../../src/domain/values/clocks.ts";
import { createIds } from "../../src/domain/values/ids.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import { openStore } from "../../src/store/sqlite/assembly/store.ts";
import { errorOf } from "./clients.ts";
import type { WorkingStore } from "./stores.ts";
import {
  addIdentity,
  addRequest,
  addSecret,
  addTeam,
  callOf,
  claim,
  DAY,
  hashOf,
  MINUTE,
  newKey,
  newSecret,
  newSession,
  OPERATOR,
  submit,
  TOMBSTONE_MS,
} from "./stores.ts";
import { temporaryFolder } from "./temporary.ts";
import { createTestClock } from "./test-clocks.ts";
import type { TestClock } from "./test-clocks.ts";

/** The ids of some of what `fillStore` has put into a store. */
export interface Filled {
  readonly teamId: string;
  /** A secret that can be claimed. */
  readonly waiting: string;
  /** One that was claimed under the idempotency key "claim". */
  readonly claimed: string;
  /** A request that is open, with a note. */
  readonly asked: string;
  readonly webhook: string;
}

/** Puts something of everything into an empty store: what is live, what has ended, and what is not ASCII. */
export async function fillStore(place: WorkingStore): Promise<Filled> {
  const { store, ids, clock } = place;
  const teamId = await addTeam(place, "ops Ä \u{1f511}");
  const others = await addTeam(place, "others");
  await store.setTeamQuota(others, 5 * 1024 ** 3);
  await store.setTeamRules(teamId, { maxTtlSeconds: 86_400, requireFor: true, forDomains: ["a.test", "ä.test"] });
  await store.keepTeamQuota(7 * 1024 ** 3);
  const robot = await addIdentity(place, teamId);
  const networks = "10.0.0.0/8 2001:db8::/32";
  const key = await store.createKey({ ...newKey(place, robot), name: "“laptop”", networks }, hashOf("key"));
  await store.replaceKey(newKey(place, robot), hashOf("successor"), key.id, clock.now() + DAY);
  await store.markKeyExposed(hashOf("successor"));
  const ann = {
    ...robot,
    id: ids.next("identity"),
    kind: "person",
    name: "ann@example.test",
    personName: "Ann",
  } as const;
  const link = { identity: ann, createdAt: clock.now(), expiresAt: clock.now() + DAY };
  await store.createSignInLink(link, hashOf("used"));
  await store.tradeSignIn(hashOf("used"), newSession(place, "session"));
  await store.createSignInLink(link, hashOf("link"));
  const webhook = await addWebhook(place, teamId);
  const sent = { createdBy: ann.id, senderId: ann.id, reference: "OPS-4711" };
  const waiting = await addSecret(place, teamId, { ...sent, maxClaims: 3, call: callOf("create", "what") });
  await claim(place, waiting, "one of three");
  const claimed = await addSecret(place, teamId, { ciphertext: "x".repeat(70_000) });
  await claim(place, claimed, "claim");
  const revoked = await addSecret(place, others);
  await store.revokeSecret(others, revoked.id, robot.id);
  for (let n = 0; n < 30; n++) await store.createSecret(newSecret(place, n % 2 ? teamId : others));
  const asked = await addRequest(place, teamId, { maxSubmissions: 3, createdBy: robot.id, reference: "OPS-1" });
  await submit(place, asked);
  const ended = await addRequest(place, teamId, { note: undefined, askerId: ann.id });
  await submit(place, ended);
  await noteDelivery(place, webhook);
  return { teamId, waiting: waiting.id, claimed: claimed.id, asked: asked.id, webhook };
}

async function addWebhook({ store, ids, clock }: WorkingStore, teamId: string): Promise<string> {
  const id = ids.next("webhook");
  const rest = { url: "https://hooks.test/ä", format: "standard", allowHttp: false, createdAt: clock.now() } as const;
  await store.createWebhook({ id, teamId, ...rest, eventTypes: ["secret.claimed"], secret: "whsec_one" });
  await store.rotateWebhookSecret(id, "whsec_two", clock.now() + DAY);
  return id;
}

async function noteDelivery({ store, clock }: WorkingStore, webhookId: string): Promise<void> {
  const webhook = await store.findWebhook(webhookId);
  if (!webhook) throw new Error("there is no webhook");
  const call = { eventId: "evt_1", eventType: "secret.claimed", at: clock.now(), durationMs: 12 } as const;
  const answer = { status: 503, failure: null, outcome: "retried", nextTryAt: clock.now() + MINUTE } as const;
  const progress = { failures: 1, rejections: 0, firstFailedAt: clock.now(), nextTryAt: clock.now() + MINUTE };
  const { revision, lastEventId } = webhook;
  const note = { webhookId, revision, lastEventId, ...progress, goneAt: null, skipped: [] };
  await store.noteWebhooks([{ ...note, deliveries: [{ ...call, ...answer }] }]);
}

/**
 * All that can be read of a store that `fillStore` has filled; not what its teams are charged, by which engines differ.
 */
export async function readAll({ store }: WorkingStore, { teamId, asked, waiting, webhook }: Filled) {
  const teams = await store.listTeams();
  const pages = { state: undefined, createdBy: undefined, before: undefined, limit: 1000 };
  const found = await store.findSecret(teamId, waiting);
  return {
    teams: teams.map((team) => ({ ...team, storedBytes: 0 })),
    quota: await store.findTeamQuota(),
    counts: await store.countTeams(),
    identities: await store.listIdentities(undefined),
    keys: await store.listKeys(undefined),
    link: await store.findSignInLink(hashOf("link")),
    session: await store.findSession(hashOf("session")),
    secrets: await Promise.all(teams.map(({ id }) => store.listSecrets({ ...pages, teamId: id }))),
    requests: await Promise.all(teams.map(({ id }) => store.listRequests({ ...pages, teamId: id }))),
    submissions: await store.listSubmissions(teamId, asked),
    note: await store.findNote(teamId, asked),
    events: await Promise.all(teams.map(({ id }) => store.listEvents(id, undefined, 1000))),
    history: found && (await store.listSecretEvents(found)),
    adminLog: await store.listAdminLog({ afterId: undefined, since: undefined, limit: undefined }),
    webhooks: await store.listWebhooks(undefined),
    deliveries: await store.listWebhookDeliveries(webhook),
  };
}

/** A store over the data folder `folder`. */
export function openFolder(folder: string, time: TestClock): WorkingStore {
  const clock = createMonotonicClock(time);
  const ids = createIds(clock, systemRandom);
  const settings = { folder, tombstoneSeconds: TOMBSTONE_MS / 1000, ballastBytes: 0, operator: OPERATOR };
  return { clock, ids, store: openStore({ ...settings, clock, ids }) };
}

export interface FilledFolder extends Disposable {
  readonly folder: string;
  readonly time: TestClock;
  readonly filled: Filled;
  readonly before: Awaited<ReturnType<typeof readAll>>;
}

/** A data folder with something of everything in it, and nobody who has it open. */
export async function fillFolder(): Promise<FilledFolder> {
  const place = temporaryFolder();
  const folder = join(place.path, "data");
  const time = createTestClock();
  const source = openFolder(folder, time);
  const filled = await fillStore(source);
  const before = await readAll(source, filled);
  await source.store.close();
  return { folder, time, filled, before, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

/** The message that `promise` rejects with; empty when it resolves. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error = await errorOf(promise);
  return error instanceof Error ? error.message : "";
}

/** The ciphertext that a claim hands out. Throws when it hands out none. */
export async function handedOut(outcome: Promise<ClaimOutcome | undefined>): Promise<string> {
  const claimed = await outcome;
  if (!claimed || !("ciphertext" in claimed)) throw new Error(claimed?.kind ?? "there is no secret");
  return textOf(claimed.ciphertext);
}
