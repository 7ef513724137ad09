import { expect, test } from "bun:test";
import { isLive } from "../../src/contract/states.ts";
import type { RequestRecord } from "../../src/domain/ports/requests.ts";
import {
  afterRevocation,
  afterSetting,
  afterSubmission,
  atCreation,
  eventOf,
  retention,
} from "../../src/domain/request-lifecycle.ts";
import { seenAt, stateAt } from "../../src/domain/values/expiry.ts";

const MINUTE = 60_000;
const CREATED = 1_000_000;
const END = CREATED + 60 * MINUTE;
const TOMBSTONE_MS = 30 * 24 * 60 * MINUTE;

const OPEN: RequestRecord = {
  id: "req_1",
  teamId: "tea_1",
  state: "open",
  recipient: "age1…",
  createdAt: CREATED,
  expiresAt: END,
  maxSubmissions: 2,
  submissionCount: 0,
  endedAt: null,
  createdBy: "idn_1",
  askerId: null,
  reference: null,
  addressees: null,
};
const PAUSED: RequestRecord = { ...OPEN, state: "paused" };

/** A request after a submission at `now`. Throws when it accepts none. */
function submittedAt(request: RequestRecord, now: number): RequestRecord {
  const next = afterSubmission(request, now);
  if (typeof next === "string") throw new Error(`it is ${next}`);
  return next;
}

const FULFILLED = submittedAt(submittedAt(OPEN, CREATED), CREATED + 1);
const REVOKED = afterRevocation(OPEN, CREATED + 1);
const EXPIRED = seenAt(PAUSED, END);
const ENDED = { fulfilled: FULFILLED, revoked: REVOKED, expired: EXPIRED };

test("a request, open or paused, is expired from its expiry on", () => {
  for (const request of [OPEN, PAUSED]) {
    expect([END - 1, END].map((now) => stateAt(request, now))).toEqual([request.state, "expired"]);
    expect(seenAt(request, END - 1)).toBe(request);
    expect(seenAt(request, END + MINUTE)).toEqual({ ...request, state: "expired", endedAt: END });
    expect(isLive(request.state)).toBe(true);
  }
});

test("final states stay: after time, submissions, pausing, resuming and revocation", () => {
  for (const [state, request] of Object.entries(ENDED)) {
    expect(isLive(request.state)).toBe(false);
    for (const now of [CREATED + 2, END, END + MINUTE]) {
      expect({ state, seen: seenAt(request, now) }).toEqual({ state, seen: request });
      expect({ state, after: afterSubmission(request, now) as unknown }).toEqual({ state, after: state });
      expect(afterSetting(request, "open", now)).toBe(request);
      expect(afterSetting(request, "paused", now)).toBe(request);
      expect(afterRevocation(request, now)).toBe(request);
    }
  }
});

test("every submission is counted, and the last allowed one fulfils the request", () => {
  expect(submittedAt(OPEN, CREATED)).toEqual({ ...OPEN, submissionCount: 1 });
  expect(FULFILLED).toEqual({ ...OPEN, submissionCount: 2, state: "fulfilled", endedAt: CREATED + 1 });
});

test("a paused request accepts submissions after it is resumed, an overdue one never", () => {
  expect(afterSubmission(PAUSED, CREATED)).toBe("paused");
  expect(afterSetting(OPEN, "paused", CREATED)).toEqual(PAUSED);
  expect(afterSetting(PAUSED, "open", CREATED)).toEqual(OPEN);
  expect(afterSetting(OPEN, "open", CREATED)).toBe(OPEN);
  for (const request of [OPEN, PAUSED]) {
    const expired = { ...request, state: "expired" as const, endedAt: END };
    expect(afterSubmission(request, END)).toBe("expired");
    expect(afterSetting(request, "open", END)).toEqual(expired);
    expect(afterRevocation(request, END)).toEqual(expired);
    expect(afterRevocation(request, END - 1)).toEqual({ ...request, state: "revoked", endedAt: END - 1 });
  }
});

test("the replayed answer to a creation is the same, whatever happened to the request since", () => {
  for (const request of [PAUSED, submittedAt(OPEN, CREATED), ...Object.values(ENDED)]) {
    expect(atCreation(request)).toEqual(OPEN);
  }
});

test("the note is erased when the request ends", () => {
  const kept = (request: RequestRecord, now: number) =>
    retention(request, { lastWaiting: 0, tombstoneMs: TOMBSTONE_MS }, now);
  for (const request of [OPEN, PAUSED]) expect(kept(request, CREATED)).toEqual({ keep: "note", dueAt: END });
  for (const request of Object.values(ENDED)) {
    const tombstoneEnd = (request.endedAt ?? NaN) + TOMBSTONE_MS;
    expect(kept(request, request.endedAt ?? NaN)).toEqual({ keep: "tombstone", dueAt: tombstoneEnd });
    expect(kept(request, tombstoneEnd - 1)).toEqual({ keep: "tombstone", dueAt: tombstoneEnd });
    expect(kept(request, tombstoneEnd).keep).toBe("nothing");
  }
});

test("the tombstone stays while submissions wait, and the request is due when it would be erased", () => {
  const tombstoneEnd = CREATED + 1 + TOMBSTONE_MS;
  const lastWaiting = tombstoneEnd + MINUTE;
  const kept = (now: number) => retention(FULFILLED, { lastWaiting, tombstoneMs: TOMBSTONE_MS }, now);
  expect(kept(CREATED + 1)).toEqual({ keep: "tombstone", dueAt: tombstoneEnd });
  expect(kept(tombstoneEnd)).toEqual({ keep: "tombstone", dueAt: lastWaiting });
  expect(kept(lastWaiting).keep).toBe("nothing");
});

test("every transition has an event with type, actor and network", () => {
  const told = (before: RequestRecord | undefined, after: RequestRecord) => {
    const event = eventOf(before, after, { actorId: "idn_2", network: "203.0.113.7" });
    expect(event).toMatchObject({ teamId: "tea_1", secretId: null, requestId: "req_1" });
    return [event?.type, event?.actorId, event?.network];
  };
  const from = "203.0.113.7";
  expect(told(undefined, OPEN)).toEqual(["request.created", "idn_2", from]);
  expect(told(OPEN, PAUSED)).toEqual(["request.paused", "idn_2", from]);
  expect(told(PAUSED, OPEN)).toEqual(["request.opened", "idn_2", from]);
  expect(told(OPEN, REVOKED)).toEqual(["request.revoked", "idn_2", from]);
  expect(told(OPEN, FULFILLED)).toEqual(["request.fulfilled", null, from]);
  expect(told(PAUSED, EXPIRED)).toEqual(["request.expired", null, null]);
  expect(eventOf(OPEN, submittedAt(OPEN, CREATED), { actorId: null })).toBeUndefined();
});
