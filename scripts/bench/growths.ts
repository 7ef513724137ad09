import type { SecretRecord } from "../../src/domain/ports/secrets.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import { createMonotonicClock, systemClock } from "../../src/domain/values/clocks.ts";
import { createIds } from "../../src/domain/values/ids.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import { openThreadedStore } from "../../src/store/sqlite/assembly/threaded-store.ts";
import { benchFolder } from "./folders.ts";
import { median } from "./statistics.ts";

/** The number of samples of each call, and how long the calls of a sample take. */
const THOROUGH = { samples: 7, sampleMicroseconds: 20_000 };
const CALLERS = 64;
const PAGE = 50;
const STEP_ROWS = 100;
const LIFETIME_MS = 7 * 86_400_000;
const TOMBSTONE_SECONDS = 30 * 86_400;
/** The number of secrets that are stored at the same time. */
const BATCH = 500;
/** One of so many secrets can be claimed; the others are already claimed. */
const SECRETS_PER_WAITING = 10;
/** The secrets that are due for the sweeper. */
const DUE = 1000;
const CIPHERTEXT = "x".repeat(1024);

/** A call of the store, or several at once. */
interface MeasuredCall {
  readonly name: string;
  /** The number of calls that `run` makes. */
  readonly times: number;
  /** True when there is material for only one run in each sample. */
  readonly isScarce?: boolean;
  readonly run: () => Promise<unknown>;
}

/** Returns the processor time of each call with `stored` secrets, in microseconds: the median of several samples. */
export async function measureCalls(
  stored: number,
  { samples, sampleMicroseconds } = THOROUGH,
): Promise<Map<string, number>> {
  using folder = benchFolder();
  const clock = createMonotonicClock(systemClock);
  const ids = createIds(clock, systemRandom);
  const store = openThreadedStore({
    folder: folder.path,
    tombstoneSeconds: TOMBSTONE_SECONDS,
    ballastBytes: 0,
    clock,
    ids,
    onEnd(error) {
      throw error;
    },
  });
  const results = new Map<string, number>();
  const teamId = ids.next("team");
  await store.createTeam({
    id: teamId,
    name: "bench",
    createdAt: clock.now(),
    storedBytes: 0,
    quotaBytes: null,
    rules: null,
  });
  for (const call of await prepareCalls(store, teamId, () => ids.next("secret"), stored)) {
    const times: number[] = [];
    // The first call is slower, because nothing is compiled yet.
    if (!call.isScarce) await measure(call, sampleMicroseconds);
    while (times.length < samples) times.push(await measure(call, sampleMicroseconds));
    results.set(call.name, median(times));
  }
  await store.close();
  return results;
}

/** Stores secrets, and returns the calls to measure, in an order in which none hides another's cost. */
async function prepareCalls(
  store: Store,
  teamId: string,
  nextId: () => string,
  stored: number,
): Promise<MeasuredCall[]> {
  const secretIds: string[] = [];
  const claimable: string[] = [];
  const create = async (lifetimeMs = LIFETIME_MS) => {
    const id = nextId();
    await store.createSecret({
      record: recordOf(id, teamId, lifetimeMs),
      ciphertext: CIPHERTEXT,
      claimTokenHash: systemRandom.bytes(32),
      quotaBytes: Infinity,
      call: undefined,
    });
    return id;
  };
  const claim = async (id: string) => {
    const outcome = await store.claimSecret({ id, teamId, actorId: null, call: undefined });
    if (outcome?.kind !== "claimed") throw new Error("a secret could not be claimed");
  };
  const seed = async (_: unknown, index: number) => {
    const row = secretIds.length + index;
    const id = await create(row < DUE ? 1 : LIFETIME_MS);
    if (row >= DUE && row % SECRETS_PER_WAITING === 0) claimable.push(id);
    else if (row >= DUE) await claim(id);
    return id;
  };
  while (secretIds.length < stored) {
    const count = Math.min(BATCH, stored - secretIds.length);
    secretIds.push(...(await Promise.all(Array.from({ length: count }, seed))));
  }

  const one = (name: string, run: () => Promise<unknown>): MeasuredCall => ({ name, times: 1, run });
  const many = (name: string, run: () => Promise<unknown>): MeasuredCall => ({
    name,
    times: CALLERS,
    run: () => Promise.all(Array.from({ length: CALLERS }, run)),
  });
  const page = { teamId, state: undefined, createdBy: undefined, limit: PAGE, before: undefined };
  return [
    { ...one(`a step of the sweeper, ${STEP_ROWS} secrets expire`, () => store.sweep(STEP_ROWS)), isScarce: true },
    many("create", async () => claimable.push(await create())),
    many("claim", () => claim(takeOne(claimable))),
    one("status of a secret", () => store.findSecret(teamId, pick(secretIds))),
    one("a claim token that no secret has", () =>
      store.findSecretByClaimToken(systemRandom.bytes(32), pick(secretIds)),
    ),
    one(`list of ${PAGE} secrets`, () => store.listSecrets(page)),
    one(`page of ${PAGE} events, the first`, () => store.listEvents(teamId, undefined, PAGE)),
  ];
}

function recordOf(id: string, teamId: string, lifetimeMs: number): SecretRecord {
  const createdAt = Date.now();
  return {
    id,
    teamId,
    state: "available",
    envelopeVersion: 1,
    ciphertextBytes: CIPHERTEXT.length,
    ciphertextFormat: "unrecognized",
    createdAt,
    expiresAt: createdAt + lifetimeMs,
    maxClaims: 1,
    claims: 0,
    endedAt: null,
    createdBy: null,
    requestId: null,
    senderId: null,
    reference: null,
    addressees: null,
    approval: null,
  };
}

/** Returns the processor time of one call, in microseconds, over as many of them as take `atLeast`. */
async function measure({ times, isScarce, run }: MeasuredCall, atLeast: number): Promise<number> {
  const before = process.cpuUsage();
  for (let calls = times; ; calls += times) {
    await run();
    const { user, system } = process.cpuUsage(before);
    if (isScarce || user + system >= atLeast) return (user + system) / calls;
  }
}

function pick(items: readonly string[]): string {
  return items[Math.floor(Math.random() * items.length)] ?? "";
}

/** Removes a random item. */
function takeOne(items: string[]): string {
  const place = Math.floor(Math.random() * items.length);
  const [taken, last] = [items[place], items.pop()];
  if (taken === undefined || last === undefined) throw new Error("there is none left to claim");
  if (place < items.length) items[place] = last;
  return taken;
}
