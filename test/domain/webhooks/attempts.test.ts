import { expect, test } from "bun:test";
import type { CallAnswer, WebhookProgress } from "../../../src/domain/ports/webhooks.ts";
import { after, judgeAnswer, PATIENCE_MS } from "../../../src/domain/webhooks/attempts.ts";

const START = Date.parse("2026-11-21T09:30:00Z");
const HOUR = 3_600_000;

const answered = (status: number, retryAfter: string | null = null): CallAnswer => ({ status, retryAfter });

/** Repeats the call at each scheduled time until the outcome isn't another attempt. */
function goOn(answer: (now: number) => CallAnswer, jitter = 1) {
  let progress: WebhookProgress = after("evt_0");
  const tries: number[] = [];
  for (let now = START; ;) {
    tries.push(now - START);
    const verdict = judgeAnswer(progress, "evt_1", answer(now), { now, jitter });
    progress = verdict.progress;
    if (verdict.outcome !== "retried" || progress.nextTryAt === null) return { ...verdict, tries };
    expect(progress.lastEventId).toBe("evt_0");
    now = progress.nextTryAt;
  }
}

test("a delivered event is done, whatever happened before", () => {
  const failing = { lastEventId: "evt_0", failures: 7, rejections: 2, firstFailedAt: START - HOUR, nextTryAt: START };
  for (const status of [200, 202, 204, 299]) {
    const verdict = judgeAnswer(failing, "evt_1", answered(status), { now: START, jitter: 0 });
    expect(verdict).toEqual({ outcome: "delivered", progress: after("evt_1") });
  }
});

test("temporary failures are retried after 5 seconds, then twice as long up to an hour, for three days", () => {
  const answers = [{ failure: "unreachable" } as const, ...[408, 429, 500, 503, 599].map((status) => answered(status))];
  for (const answer of answers) {
    const { outcome, progress, tries } = goOn(() => answer);
    expect({ outcome, progress }).toEqual({ outcome: "skipped", progress: after("evt_1") });
    expect(tries.slice(0, 12).map((each) => each / 1000)).toEqual([
      0, 5, 15, 35, 75, 155, 315, 635, 1275, 2555, 5115, 8715,
    ]);
    const pauses = tries.slice(11).map((each, at) => each - (tries[10 + at] ?? 0));
    expect(Math.max(...pauses)).toBe(HOUR);
    expect(tries.at(-1)).toBe(PATIENCE_MS);
    expect(tries.length).toBeLessThan(90);
  }
});

test("pauses differ by up to a fifth", () => {
  const pauseWith = (jitter: number) =>
    (judgeAnswer(after(""), "evt_1", answered(500), { now: START, jitter }).progress.nextTryAt ?? 0) - START;
  expect([pauseWith(0), pauseWith(0.5), pauseWith(1)]).toEqual([4000, 4500, 5000]);
});

test("Retry-After delays the next attempt, up to the end of the retries", () => {
  const at = (retryAfter: string, status = 429) =>
    (judgeAnswer(after(""), "evt_1", answered(status, retryAfter), { now: START, jitter: 1 }).progress.nextTryAt ?? 0) -
    START;
  expect(at("120")).toBe(120_000);
  expect(at("120", 503)).toBe(120_000);
  expect(at(new Date(START + 90_000).toUTCString())).toBe(90_000);
  // Sooner than the next attempt without it.
  expect(at("1")).toBe(5000);
  expect(at("99999999")).toBe(PATIENCE_MS);
  for (const nonsense of ["", "soon", "-5", "1e9", new Date(START - HOUR).toUTCString()])
    expect(at(nonsense)).toBe(5000);
  const { tries, outcome } = goOn(() => answered(429, "99999999"));
  expect({ tries, outcome }).toEqual({ tries: [0, PATIENCE_MS], outcome: "skipped" });
});

test("a rejected or redirected call is tried five times in ten minutes", () => {
  for (const status of [301, 307, 400, 401, 403, 404, 405, 413, 422]) {
    const { outcome, tries } = goOn(() => answered(status, "7200"));
    expect({ status, outcome, tries: tries.length, last: tries.at(-1) }).toEqual({
      status,
      outcome: "skipped",
      tries: 5,
      last: 600_000,
    });
  }
});

test("a receiver that was down for days and then rejects an event still gets five attempts", () => {
  const back = START + 24 * HOUR;
  const { outcome, tries } = goOn((now) => (now < back ? answered(503) : answered(404)));
  expect(outcome).toBe("skipped");
  expect(tries.filter((each) => START + each >= back)).toHaveLength(5);
});

test("410 pauses the webhook, and the event stays undelivered", () => {
  const failing = { lastEventId: "evt_0", failures: 3, rejections: 0, firstFailedAt: START - HOUR, nextTryAt: START };
  expect(judgeAnswer(failing, "evt_1", answered(410), { now: START, jitter: 0 })).toEqual({
    outcome: "paused",
    progress: after("evt_0"),
  });
});
