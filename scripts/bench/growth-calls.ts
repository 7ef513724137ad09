import type { SecretRecord } from "../../src/domain/ports/secrets.ts";
import type { Ids } from "../../src/domain/ports/sources.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import { systemRandom } from "../../src/domain/random.ts";
import { CIPHERTEXT, nameOf, tokenHashOf } from "./growth-seeds.ts";
import type { Seeded } from "./growth-seeds.ts";

const CALLERS = 64;
const PAGE = 50;
const STEP_ROWS = 100;
const LIFETIME_MS = 7 * 86_400_000;

/** A call of the store, or several at once. */
export interface MeasuredCall {
  readonly name: string;
  /** The calls that `run` makes. */
  readonly times: number;
  /** True when there is not enough of what it does for more than one in each sample. */
  readonly isScarce?: boolean;
  readonly run: () => Promise<unknown>;
}

/** The calls whose time is measured, in an order in which none hides what another costs. */
export function growthCalls(store: Store, ids: Ids, seeded: Seeded): MeasuredCall[] {
  const { secretIds, requestIds } = seeded;
  const { teamId, creatorId: createdBy } = seeded;
  const one = (name: string, run: () => Promise<unknown>): MeasuredCall => ({ name, times: 1, run });
  const many = (name: string, run: () => Promise<unknown>): MeasuredCall => ({
    name,
    times: CALLERS,
    run: () => Promise.all(Array.from({ length: CALLERS }, run)),
  });
  const page = { teamId, state: undefined, createdBy: undefined, limit: PAGE, before: undefined };
  return [
    { ...one(`a step of the sweeper, ${STEP_ROWS} secrets expire`, () => sweepStep(store)), isScarce: true },
    ...writes(store, ids, seeded).map(({ name, run }) => many(name, run)),
    one("a step of the sweeper, nothing is due", () => sweepAll(store)),
    one("status of a secret", () => store.findSecret(teamId, pick(secretIds))),
    one("status of a secret, by its claim token", () => {
      const id = pick(secretIds);
      return store.findSecretByClaimToken(tokenHashOf(id), id);
    }),
    one("a claim token that no secret has", () =>
      store.findSecretByClaimToken(systemRandom.bytes(32), pick(secretIds)),
    ),
    one("status of a request", () => store.findRequest(teamId, pick(requestIds))),
    one(`list of ${PAGE} secrets`, () => store.listSecrets(page)),
    one("the same, of one creator", () => store.listSecrets({ ...page, createdBy })),
    one("the same, older than one", () => store.listSecrets({ ...page, before: pick(secretIds) })),
    one("the same, available", () => store.listSecrets({ ...page, state: "available" })),
    one("the same, expired", () => store.listSecrets({ ...page, state: "expired" })),
    one("the same, revoked (none is)", () => store.listSecrets({ ...page, state: "revoked" })),
    one("the same, expired, of one creator", () => store.listSecrets({ ...page, state: "expired", createdBy })),
    one(`list of ${PAGE} requests`, () => store.listRequests(page)),
    one("the same, open", () => store.listRequests({ ...page, state: "open" })),
    one("the same, expired (none is)", () => store.listRequests({ ...page, state: "expired" })),
    one("the same, open, of one creator", () => store.listRequests({ ...page, state: "open", createdBy })),
    one(`page of ${PAGE} events, the first`, () => store.listEvents(teamId, undefined, PAGE)),
    one("the latest event", () => store.lastEventId(teamId)),
    one("all keys of a team", () => store.listKeys(teamId)),
    one("all identities of a team", () => store.listIdentities(teamId)),
    one("an identity by its name, in its team", () => store.findIdentities(nameOf(createdBy), teamId)),
    one("an identity by its name", () => store.findIdentities(nameOf(createdBy), undefined)),
  ];
}

async function sweepStep(store: Store): Promise<void> {
  if (!(await store.sweep(STEP_ROWS))) throw new Error("there was nothing to sweep");
}

async function sweepAll(store: Store): Promise<void> {
  for (let more = true; more; more = await store.sweep(STEP_ROWS));
}

function writes(store: Store, ids: Ids, { teamId, creatorId, claimable }: Seeded) {
  const create = async (call: { readonly digest: Uint8Array; readonly fingerprint: Uint8Array } | undefined) => {
    const now = Date.now();
    const id = ids.next("secret");
    const record: SecretRecord = {
      id,
      teamId,
      state: "available",
      envelopeVersion: 1,
      ciphertextBytes: CIPHERTEXT.length,
      ciphertextFormat: "unrecognized",
      createdAt: now,
      expiresAt: now + LIFETIME_MS,
      maxClaims: 1,
      claims: 0,
      endedAt: null,
      createdBy: creatorId,
      requestId: null,
      senderId: null,
      reference: null,
    };
    const secret = { record, ciphertext: CIPHERTEXT, claimTokenHash: tokenHashOf(id), quotaBytes: Infinity };
    await store.createSecret({ ...secret, call });
    claimable.push(id);
  };
  const call = () => ({ digest: systemRandom.bytes(32), fingerprint: systemRandom.bytes(32) });
  const claim = async (input: ReturnType<typeof call> | undefined) => {
    const id = takeOne(claimable);
    const replay = input && { ...input, replayUntil: Date.now() + 300_000 };
    const outcome = await store.claimSecret({ id, teamId, actorId: creatorId, call: replay });
    if (outcome?.kind !== "claimed") throw new Error("a secret could not be claimed");
  };
  return [
    { name: "create", run: () => create(undefined) },
    { name: "create, with an idempotency key", run: () => create(call()) },
    { name: "claim", run: () => claim(undefined) },
    { name: "claim, with an idempotency key", run: () => claim(call()) },
    { name: "a sign-in link for a new person", run: () => invite(store, ids, teamId) },
  ];
}

function invite(store: Store, ids: Ids, teamId: string) {
  const createdAt = Date.now();
  const id = ids.next("identity");
  const rest = { kind: "person" as const, teamName: "", personName: null, scopes: [], createdAt, disabledAt: null };
  const identity = { id, teamId, name: nameOf(id), ...rest };
  const token = { identity, purpose: "sign_in", createdAt, expiresAt: createdAt + LIFETIME_MS } as const;
  return store.createPersonToken(token, tokenHashOf(id));
}

function pick(items: readonly string[]): string {
  return items[Math.floor(Math.random() * items.length)] ?? "";
}

/** Takes a random one out. */
function takeOne(items: string[]): string {
  const place = Math.floor(Math.random() * items.length);
  const [taken, last] = [items[place], items.pop()];
  if (taken === undefined || last === undefined) throw new Error("there is none left to claim");
  if (place < items.length) items[place] = last;
  return taken;
}
