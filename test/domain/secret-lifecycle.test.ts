import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { textOf } from "../../src/contract/ciphertexts.ts";
import type { SecretRecord } from "../../src/domain/ports/secrets.ts";
import {
  ACKNOWLEDGED,
  afterClaim,
  afterRevocation,
  afterTerms,
  answerToReplay,
  atClaim,
  atCreation,
  eventOf,
  NOBODY,
  retention,
} from "../../src/domain/secret-lifecycle.ts";
import type { RememberedClaim } from "../../src/domain/secret-lifecycle.ts";
import { isOverdue, seenAt, stateAt } from "../../src/domain/values/expiry.ts";
import { createModel } from "../support/secret-model.ts";
import type { ModelSecret } from "../support/secret-model.ts";

const MINUTE = 60_000;
const CREATED = 1_000_000;
const END = CREATED + 60 * MINUTE;
const TOMBSTONE_MS = 30 * 24 * 60 * MINUTE;
const REPLAY_MS = 5 * MINUTE;

const SECRET: SecretRecord = {
  id: "sec_1",
  teamId: "tea_1",
  state: "available",
  envelopeVersion: 1,
  ciphertextBytes: 4,
  ciphertextFormat: "age",
  createdAt: CREATED,
  expiresAt: END,
  maxClaims: 2,
  claims: 0,
  endedAt: null,
  createdBy: "idn_1",
  requestId: null,
  senderId: null,
  reference: null,
  addressees: null,
  approval: null,
};

/** SECRET after claims at these times. */
function claimedAt(...times: number[]): SecretRecord {
  return times.reduce<SecretRecord>((secret, now) => {
    const next = afterClaim(secret, now);
    if (typeof next === "string") throw new Error(`it is ${next}`);
    return next;
  }, SECRET);
}

const [CLAIMED, REVOKED, EXPIRED] = [
  claimedAt(CREATED, CREATED + 1),
  afterRevocation(SECRET, CREATED + 1),
  seenAt(SECRET, END),
];
const ENDED = { claimed: CLAIMED, revoked: REVOKED, expired: EXPIRED };

test("a secret is expired from its expiry on, even if it is still stored as available", () => {
  expect([CREATED, END - 1, END, END + MINUTE].map((now) => stateAt(SECRET, now))).toEqual([
    "available",
    "available",
    "expired",
    "expired",
  ]);
  expect([END - 1, END].map((now) => isOverdue(SECRET, now))).toEqual([false, true]);
  expect(seenAt(SECRET, END - 1)).toBe(SECRET);
  expect(seenAt(SECRET, END + MINUTE)).toEqual({ ...SECRET, state: "expired", endedAt: END });
});

test("final states stay: after time, claims and revocation", () => {
  for (const [state, secret] of Object.entries(ENDED)) {
    for (const now of [CREATED + 2, END - 1, END, END + MINUTE]) {
      expect({ state, seen: seenAt(secret, now) }).toEqual({ state, seen: secret });
      expect({ state, after: afterClaim(secret, now) as unknown }).toEqual({ state, after: state });
      expect(afterRevocation(secret, now)).toBe(secret);
    }
  }
});

test("every claim is counted, and the last allowed one ends the secret", () => {
  expect(claimedAt(CREATED + 1)).toEqual({ ...SECRET, claims: 1 });
  expect(claimedAt(CREATED + 1, END - 1)).toEqual({ ...SECRET, claims: 2, state: "claimed", endedAt: END - 1 });
});

test("an overdue secret can't be claimed or revoked: it ended at its expiry", () => {
  expect(afterClaim(SECRET, END)).toBe("expired");
  expect(afterRevocation(SECRET, END + MINUTE)).toEqual({ ...SECRET, state: "expired", endedAt: END });
  expect(afterRevocation(SECRET, END - 1)).toEqual({ ...SECRET, state: "revoked", endedAt: END - 1 });
});

test("the replayed answer to a creation or claim is the same, whatever happened to the secret since", () => {
  for (const secret of [SECRET, claimedAt(CREATED), ...Object.values(ENDED)]) {
    expect(atCreation(secret)).toEqual(SECRET);
  }
  const first = { claimNumber: 1, claimedAt: CREATED, replayUntil: CREATED + REPLAY_MS };
  const last = { claimNumber: 2, claimedAt: CREATED + 1, replayUntil: CREATED + 1 + REPLAY_MS };
  expect(atClaim(CLAIMED, first)).toEqual(claimedAt(CREATED));
  expect(atClaim(CLAIMED, last)).toEqual(CLAIMED);
  expect(atClaim({ ...EXPIRED, claims: 1 }, first)).toEqual(claimedAt(CREATED));
});

const CLAIM: RememberedClaim = { claimNumber: 2, claimedAt: CREATED + 1, replayUntil: CREATED + 1 + REPLAY_MS };

test("a claim can be replayed until its window ends or it is acknowledged", () => {
  const replayed = { kind: "replayed", secret: CLAIMED, ciphertext: "text", replayUntil: CLAIM.replayUntil } as const;
  expect(answerToReplay(CLAIMED, CLAIM, "text", CLAIM.replayUntil - 1)).toEqual(replayed);
  expect(answerToReplay(CLAIMED, CLAIM, "text", CLAIM.replayUntil)).toEqual({ kind: "replay_over" });
  expect(answerToReplay(CLAIMED, { ...CLAIM, replayUntil: ACKNOWLEDGED }, "text", 1)).toEqual({ kind: "replay_over" });
  expect(answerToReplay(CLAIMED, CLAIM, undefined, CREATED + 2)).toEqual({ kind: "replay_over" });
});

test("a revocation ends every replay window, and later repetitions are told of it", () => {
  const revoked = afterRevocation(claimedAt(CREATED), CREATED + 1);
  for (const now of [CREATED + 1, CREATED + REPLAY_MS, END]) {
    expect(answerToReplay(revoked, { ...CLAIM, claimNumber: 1 }, undefined, now)).toEqual({
      kind: "ended",
      state: "revoked",
    });
  }
  const lastReplay = CREATED + REPLAY_MS;
  expect(retention(revoked, { lastReplay, tombstoneMs: TOMBSTONE_MS }, CREATED + 1).keep).toBe("tombstone");
});

test("the terms of an available secret can be set, to more claims than were made, and those of an ended one can't", () => {
  const none = { expiresAt: undefined, maxClaims: undefined };
  const once = claimedAt(CREATED);
  expect(afterTerms(once, { expiresAt: END + 1, maxClaims: 3 }, CREATED)).toEqual({
    ...once,
    expiresAt: END + 1,
    maxClaims: 3,
  });
  expect(afterTerms(once, { ...none, expiresAt: CREATED + 1 }, CREATED)).toEqual({ ...once, expiresAt: CREATED + 1 });
  expect(afterTerms(once, { ...none, maxClaims: 1 }, CREATED)).toBe("too_few");
  expect(afterTerms(once, { ...none, maxClaims: 2 }, CREATED)).toBe(once);
  expect(afterTerms(once, none, CREATED)).toBe(once);
  expect(afterTerms(SECRET, { ...none, expiresAt: END + 1 }, END)).toEqual(EXPIRED);
  for (const ended of Object.values(ENDED)) {
    expect(afterTerms(ended, { expiresAt: END * 2, maxClaims: 9 }, END)).toBe(ended);
  }
});

test("an available secret keeps its ciphertext, and is due when it expires", () => {
  expect(retention(SECRET, { lastReplay: 0, tombstoneMs: TOMBSTONE_MS }, CREATED)).toEqual({
    keep: "ciphertext",
    dueAt: END,
  });
});

test("the ciphertext is erased when the secret ends, or after the last replay window", () => {
  const tombstoneEnd = CREATED + 1 + TOMBSTONE_MS;
  const kept = (lastReplay: number, now: number) => retention(CLAIMED, { lastReplay, tombstoneMs: TOMBSTONE_MS }, now);
  expect(kept(0, CREATED + 1)).toEqual({ keep: "tombstone", dueAt: tombstoneEnd });
  expect(kept(CLAIM.replayUntil, CLAIM.replayUntil - 1)).toEqual({ keep: "ciphertext", dueAt: CLAIM.replayUntil });
  expect(kept(CLAIM.replayUntil, CLAIM.replayUntil)).toEqual({ keep: "tombstone", dueAt: tombstoneEnd });
  expect(kept(ACKNOWLEDGED, CREATED + 1)).toEqual({ keep: "tombstone", dueAt: tombstoneEnd });
});

test("the tombstone is kept for its time after the secret's end, and then nothing", () => {
  for (const secret of Object.values(ENDED)) {
    const tombstoneEnd = (secret.endedAt ?? NaN) + TOMBSTONE_MS;
    const kept = (now: number) => retention(secret, { lastReplay: 0, tombstoneMs: TOMBSTONE_MS }, now).keep;
    expect([tombstoneEnd - 1, tombstoneEnd].map(kept)).toEqual(["tombstone", "nothing"]);
  }
});

test("every transition has an event with type and actor", () => {
  const told = (before: SecretRecord | undefined, after: SecretRecord) => {
    const { type, actorId } = eventOf(before, after, { actorId: "idn_2", address: null });
    return { type, actorId };
  };
  expect(told(undefined, SECRET)).toEqual({ type: "secret.created", actorId: "idn_2" });
  expect(told(SECRET, claimedAt(1))).toEqual({ type: "secret.claimed", actorId: "idn_2" });
  expect(told(claimedAt(1), claimedAt(1, 2))).toEqual({ type: "secret.claimed", actorId: "idn_2" });
  expect(told(SECRET, REVOKED)).toEqual({ type: "secret.revoked", actorId: "idn_2" });
  expect(told(SECRET, EXPIRED)).toEqual({ type: "secret.expired", actorId: null });
  expect(told(SECRET, { ...SECRET, maxClaims: 3 })).toEqual({ type: "secret.changed", actorId: "idn_2" });
  expect(told(SECRET, { ...SECRET, expiresAt: END + 1 })).toEqual({ type: "secret.changed", actorId: "idn_2" });
  expect(() => eventOf(SECRET, SECRET, NOBODY)).toThrow("nothing has become of the secret");
  expect(eventOf(undefined, { ...SECRET, requestId: "req_1" }, NOBODY)).toEqual({
    teamId: "tea_1",
    secretId: "sec_1",
    requestId: "req_1",
    type: "secret.created",
    actorId: null,
    reference: null,
    address: null,
  });
});

/** A secret driven by the lifecycle functions, with the parts that a store would keep. */
function createLife(id: string, maxClaims: number, expiresAt: number) {
  let secret: SecretRecord = { ...SECRET, id, maxClaims, expiresAt };
  let ciphertext: string | undefined = `text of ${id}`;
  const claims = new Map<string, RememberedClaim>();
  const settle = (now: number) => {
    const lastReplay = Math.max(0, ...[...claims.values()].map(({ replayUntil }) => replayUntil));
    if (retention(secret, { lastReplay, tombstoneMs: TOMBSTONE_MS }, now).keep !== "ciphertext") ciphertext = undefined;
  };
  const become = (next: SecretRecord, now: number) => {
    secret = next;
    settle(now);
  };
  return {
    isHeld: () => ciphertext !== undefined,
    see(now: number) {
      become(seenAt(secret, now), now);
      return { state: secret.state, claims: secret.claims };
    },
    claim(key: string | undefined, now: number): unknown {
      const known = key === undefined ? undefined : claims.get(key);
      if (known) {
        const answer = answerToReplay(secret, known, ciphertext, now);
        if (answer.kind === "replayed") return view(answer.secret, textOf(answer.ciphertext));
        return answer.kind === "ended" ? "secret_revoked" : "secret_claimed";
      }
      const next = afterClaim(secret, now);
      if (typeof next === "string") {
        become(seenAt(secret, now), now);
        return `secret_${next}`;
      }
      const answer = view(next, ciphertext);
      if (key !== undefined)
        claims.set(key, { claimNumber: next.claims, claimedAt: now, replayUntil: now + REPLAY_MS });
      become(next, now);
      return answer;
    },
    acknowledge(key: string, now: number) {
      const known = claims.get(key);
      if (!known) return "not_found";
      claims.set(key, { ...known, replayUntil: ACKNOWLEDGED });
      settle(now);
      return "acknowledged";
    },
    revoke(now: number) {
      become(afterRevocation(secret, now), now);
      const { state, claims: count } = secret;
      return state === "revoked" ? { state, claims: count } : `secret_${state}`;
    },
  };
}

const view = ({ state, claims }: SecretRecord, ciphertext: string | undefined) => ({ ciphertext, claims, state });

/** Actions on a secret and on its model, which must give the same answers. */
const ACTS: ((
  life: ReturnType<typeof createLife>,
  model: ReturnType<typeof createModel>,
  secret: ModelSecret,
  now: number,
) => unknown[])[] = [
  ...[undefined, "one", "two"].map((key): (typeof ACTS)[number] => (life, model, secret, now) => [
    life.claim(key, now),
    model.claim(secret, key, now),
  ]),
  (life, model, secret, now) => [life.acknowledge("one", now), model.acknowledge(secret, "one", now)],
  (life, model, secret, now) => [life.revoke(now), model.revoke(secret, now)],
  (life, model, secret, now) => {
    model.sweep(now);
    return [
      { ...life.see(now), held: life.isHeld() },
      { ...model.find(secret, now), held: secret.held },
    ];
  },
];

test("any sequence of calls matches the model, without a store", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.integer({ min: 0, max: 8 * MINUTE })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 20 }), steps, (maxClaims, minutes, acts) => {
      const expiresAt = CREATED + minutes * MINUTE;
      const life = createLife("sec_1", maxClaims, expiresAt);
      const model = createModel();
      const terms = { maxClaims, expiresAt, isForAnn: false, approver: undefined };
      model.create({ id: "sec_1", ciphertext: "text of sec_1", ...terms });
      const [secret] = model.secrets;
      if (!secret) throw new Error("the model made no secret");
      let now = CREATED;
      for (const [act, pause] of acts) {
        const [actual, expected] = act(life, model, secret, (now += pause));
        expect(actual).toEqual(expected);
      }
    }),
    { numRuns: 2000 },
  );
});
