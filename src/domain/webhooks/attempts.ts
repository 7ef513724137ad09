import type { CallAnswer, WebhookDelivery, WebhookProgress } from "../ports/webhooks.ts";

// The decision after a call about an event, contract section 12.

const SECOND_MS = 1000;
const FIRST_PAUSE_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = 3600 * SECOND_MS;
/** The time after the first failure at which an event is given up. */
export const PATIENCE_MS = 3 * 86_400 * SECOND_MS;
/** The pauses after rejected calls: five attempts within ten minutes. */
const REJECTED_PAUSES_MS = [30, 60, 150, 360].map((seconds) => seconds * SECOND_MS);

/** The outcome of a call, and the progress of the webhook after it. */
export interface Verdict {
  readonly outcome: WebhookDelivery["outcome"];
  readonly progress: WebhookProgress;
}

/**
 * Decides about the event `eventId` and the `progress` of a webhook after an answer at `now`. `jitter`, from 0 to 1,
 * shortens pauses by up to a fifth, so that webhooks that failed together don't retry together.
 */
export function judgeAnswer(
  progress: WebhookProgress,
  eventId: string,
  answer: CallAnswer,
  { now, jitter }: { readonly now: number; readonly jitter: number },
): Verdict {
  const status = "status" in answer ? answer.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { outcome: "delivered", progress: after(eventId) };
  // The event is retried when an admin resumes the webhook.
  if (status === 410) return { outcome: "paused", progress: after(progress.lastEventId) };
  const isForATime = status === undefined || status === 408 || status === 429 || status >= 500;
  const failures = progress.failures + (isForATime ? 1 : 0);
  const rejections = progress.rejections + (isForATime ? 0 : 1);
  const firstFailedAt = progress.firstFailedAt ?? now;
  const end = firstFailedAt + PATIENCE_MS;
  const pause = isForATime ? pauseAfter(failures, jitter) : REJECTED_PAUSES_MS[rejections - 1];
  if (pause === undefined || now >= end) return { outcome: "skipped", progress: after(eventId) };
  const asked = isForATime && "retryAfter" in answer ? parseRetryAfter(answer.retryAfter, now) : 0;
  // The last attempt is at the end of `PATIENCE_MS`, even if Retry-After is later.
  const nextTryAt = Math.min(end, now + Math.max(pause, asked));
  return {
    outcome: "retried",
    progress: { lastEventId: progress.lastEventId, failures, rejections, firstFailedAt, nextTryAt },
  };
}

/** The progress of a webhook after the event `lastEventId`. */
export function after(lastEventId: string): WebhookProgress {
  return { lastEventId, failures: 0, rejections: 0, firstFailedAt: null, nextTryAt: null };
}

function pauseAfter(failures: number, jitter: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return Math.round(pause * (0.8 + 0.2 * jitter));
}

/** Parses `Retry-After`, seconds or a date, as milliseconds from `now`. 0 for a missing or invalid one. */
function parseRetryAfter(text: string | null, now: number): number {
  if (text === null) return 0;
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * SECOND_MS;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
