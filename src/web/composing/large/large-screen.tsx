import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../frame/icon.tsx";
import { Screen } from "../../frame/screens.tsx";
import { createRate } from "../../large/rates.ts";
import { formatPercent, formatSize } from "../../parts/formats.ts";
import { LARGE_SENDING } from "../../texts/large-sending.ts";
import { PAGE } from "../../texts/page.ts";
import { SUBMITTING } from "../../texts/submitting.ts";
import { useLater } from "../deliveries.ts";
import type { Stage } from "../deliveries.ts";
import { ContentRows, describeTimeLeft } from "../delivery-screen.tsx";
import { bytesOf } from "../drafts.ts";
import type { ContentDraft } from "../drafts.ts";
import type { LargeJob } from "./large-job.ts";
import { troubleAfter } from "./troubles.ts";
import type { Trouble } from "./troubles.ts";

const { content: words, delivery } = SUBMITTING;
const { largeSending: large } = LARGE_SENDING;

/** How far an upload is, in parts of it. */
interface Course {
  readonly sent: number;
  readonly stored: number;
  /** The seconds that are left; undefined when nobody knows. */
  readonly secondsLeft: number | undefined;
  /** Parts of it in a second; undefined when that isn't known. */
  readonly rate: number | undefined;
  readonly trouble: Trouble | undefined;
}

const BEGINNING: Course = { sent: 0, stored: 0, secondsLeft: undefined, rate: undefined, trouble: undefined };

/** The screen while something is uploaded in pieces. Leaving it stops the upload. */
export function LargeScreen(props: {
  readonly job: LargeJob<unknown>;
  readonly stage: Stage;
  readonly content: ContentDraft;
  readonly onCancel: () => void;
}) {
  const { job, stage, content, onCancel } = props;
  const course = useCourse(job);
  const isLasting = useLater(course.trouble !== undefined);
  useAwake();
  useEffect(() => () => job.stop(), [job]);
  if (stage.kind === "canceling") return <Screen title={delivery.canceling} lede={delivery.cancelingText} />;
  const isSending = stage.kind === "sending";
  const trouble = isLasting && course.trouble ? large[course.trouble] : undefined;
  const bytes = bytesOf(content);
  // Of a piece that breaks off, nothing counts.
  const done = trouble ? course.stored : course.sent;
  return (
    <Screen
      title={trouble?.title ?? delivery[stage.kind]}
      lede={isSending || trouble ? undefined : delivery.encryptingText}
    >
      <div class="stack-s">
        <p class="big-number">
          {formatPercent(done)} <small>{words.used(formatSize(Math.floor(done * bytes)), formatSize(bytes))}</small>
        </p>
        <progress class="progress" max={1} value={done} aria-label={delivery.progress} />
        {!trouble && (
          <p class="progress-row">
            <span>{describeRest(course)}</span>
            <span>{course.rate !== undefined && large.rate(formatSize(Math.round(course.rate * bytes)))}</span>
          </p>
        )}
      </div>
      {trouble ? (
        <div class="notice warn" role="status">
          <Icon name={course.trouble === "line" ? "offline" : "waiting"} />
          <p>{trouble.text}</p>
        </div>
      ) : (
        isSending && <p class="hint">{large.keepOpen}</p>
      )}
      <ContentRows content={content} />
      <div class="buttons">
        {trouble && (
          <button type="button" class="button" onClick={job.wake}>
            <Icon name="refresh" />
            {large.tryNow}
          </button>
        )}
        <button type="button" class={trouble ? "button text" : "button"} onClick={onCancel}>
          {PAGE.cancel}
        </button>
      </div>
    </Screen>
  );
}

function describeRest({ stored, secondsLeft }: Course): string {
  if (stored >= 1) return delivery.waiting;
  return secondsLeft === undefined ? "" : describeTimeLeft(secondsLeft);
}

function useCourse(job: LargeJob<unknown>): Course {
  const [course, setCourse] = useState(BEGINNING);
  useEffect(() => {
    const speed = createRate();
    let last = { sent: 0, stored: 0, total: 0 };
    const measure = (): Partial<Course> => {
      const { sent, stored, total } = last;
      if (total === 0) return {};
      speed.note(sent, performance.now());
      const rate = speed.read(performance.now());
      const secondsLeft = rate === undefined ? undefined : (total - sent) / rate;
      return { sent: sent / total, stored: stored / total, secondsLeft, rate: rate && rate / total };
    };
    const unwatch = job.watch((news) => {
      if (news.kind === "progress") last = news;
      const measured = news.kind === "progress" ? measure() : {};
      setCourse((before) => ({ ...before, ...measured, trouble: troubleAfter(before.trouble, news) }));
    });
    // A connection that is silent has no speed either.
    const timer = setInterval(() => setCourse((before) => ({ ...before, ...measure() })), 1000);
    return () => {
      clearInterval(timer);
      unwatch();
    };
  }, [job]);
  return course;
}

/** Keeps the screen on, so that a phone doesn't fall asleep. Where the browser can't, the upload goes on later. */
function useAwake(): void {
  useEffect(() => {
    const over = new AbortController();
    const hold = async () => {
      const lock = await navigator.wakeLock?.request("screen").catch(() => undefined);
      if (over.signal.aborted) await lock?.release();
      else over.signal.addEventListener("abort", () => void lock?.release());
    };
    // The browser lets go of it when the tab is hidden.
    document.addEventListener("visibilitychange", () => void (document.hidden || hold()), { signal: over.signal });
    void hold();
    return () => over.abort();
  }, []);
}
