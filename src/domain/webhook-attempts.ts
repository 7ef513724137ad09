import type { CallAnswer, WebhookDelivery, WebhookProgress } from "./ports/webhooks.ts";

// What becomes of an event after a call about it: contract section 12.

const SECOND_MS = 1000;
const FIRST_PAUSE_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = 3600 * SECOND_MS;
/** The time from the first failure after which an event is given up. */
export const PATIENCE_MS = 3 * 86_400 * SECOND_MS;
/** The pauses after calls that were rejected: five tries within ten minutes. */
const REJECTED_PAUSES_MS = [30, 60, 150, 360].map((seconds) => seconds * SECOND_MS);

/** The outcome of a call, and where the webhook stands after it. */
export interface Verdict {
  readonly outcome: WebhookDelivery["outcome"];
  readonly progress: WebhookProgress;
}

/**
 * Decides what becomes of the event `eventId` and of the `progress` of a webhook after an answer that came at `now`. `jitter`, from 0 to 1,
 * makes pauses differ by a fifth, so that not all who failed together come back together.
 */
export function judgeAnswer(
  progress: WebhookProgress,
  eventId: string,
  answer: CallAnswer,
  { now, jitter }: { readonly now: number; readonly jitter: number },
): Verdict {
  const status = "status" in answer ? answer.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { outcome: "delivered", progress: after(eventId) };
  // It is tried again when an admin resumes the webhook.
  if (status === 410) return { outcome: "paused", progress: after(progress.lastEventId) };
  const isForATime = status === undefined || status === 408 || status === 429 || status >= 500;
  const failures = progress.failures + (isForATime ? 1 : 0);
  const rejections = progress.rejections + (isForATime ? 0 : 1);
  const firstFailedAt = progress.firstFailedAt ?? now;
  const end = firstFailedAt + PATIENCE_MS;
  const pause = isForATime ? pauseAfter(failures, jitter) : REJECTED_PAUSES_MS[rejections - 1];
  if (pause === undefined || now >= end) return { outcome: "skipped", progress: after(eventId) };
  const asked = isForATime && "retryAfter" in answer ? parseRetryAfter(answer.retryAfter, now) : 0;
  // The last try is at the end of the patience, however long the receiver asks to be left alone.
  const nextTryAt = Math.min(end, now + Math.max(pause, asked));
  return {
    outcome: "retried",
    progress: { lastEventId: progress.lastEventId, failures, rejections, firstFailedAt, nextTryAt },
  };
}

/** The progress of a webhook that has dealt with the event `lastEventId`. */
export function after(lastEventId: string): WebhookProgress {
  return { lastEventId, failures: 0, rejections: 0, firstFailedAt: null, nextTryAt: null };
}

function pauseAfter(failures: number, jitter: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return Math.round(pause * (0.8 + 0.2 * jitter));
}

/** The milliseconds that a `Retry-After` asks for: seconds, or a date. 0 when there is none, or it says nothing. */
function parseRetryAfter(text: string | null, now: number): number {
  if (text === null) return 0;
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * SECOND_MS;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
