import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { hasEnded } from "../../client/requests.ts";
import type { RequestMetadata } from "../../contract/requests.ts";
import { topUrl } from "../browser/places.ts";
import { Screen, UpLink } from "../frame/screens.tsx";
import { formatTime } from "../parts/formats.ts";
import { useTask } from "../parts/tasks.ts";
import { isOver } from "../service/asked.ts";
import { LiveNotice } from "../service/live-notice.tsx";
import { useLive } from "../service/live.ts";
import { may } from "../service/scopes.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { MENU } from "../texts/menu.ts";
import { PAGE } from "../texts/page.ts";
import type { LargeSecret } from "../viewing/large-screen.tsx";
import type { OpenedSecret } from "../viewing/opened-screen.tsx";
import { describeCollecting, openSubmission, readAnswers } from "./collections.ts";
import type { Answers, Collection } from "./collections.ts";
import type * as LargeSubmissions from "./large-submissions.tsx";
import { SubmissionRow } from "./submission-row.tsx";

const { collect } = ACTIVITY;

/** What is loaded for large submissions alone. */
export type LargePart = typeof LargeSubmissions;
/** In characters: a longer note is not shown as the title. */
const MAX_TITLE = 60;

/** The submissions to a request, updated as they arrive. */
export function CollectScreen(props: {
  readonly collection: Collection;
  readonly onOpened: (secret: OpenedSecret) => void;
  readonly onLargeOpened: (secret: LargeSecret, part: LargePart) => void;
}) {
  const { collection, onOpened, onLargeOpened } = props;
  const { person, note, form } = collection;
  const [openedLast, setOpenedLast] = useState("");
  // The progress of a large submission, while it is downloaded.
  const [download, setDownload] = useState<VNode | undefined>(undefined);
  const task = useTask((error) => describeCollecting(error).text);
  const live = useLive(person, () => readAnswers(collection));
  const answers: Answers = live.value ?? { ...collection, ends: new Map(), large: new Map() };
  const { request, kept } = answers;
  const isTitle = note !== "" && note.length <= MAX_TITLE && !note.includes("\n");

  const openWhole = async (secretId: string, say: (progress: string) => void) => {
    const opened = await openSubmission({ person, request, kept, form }, secretId, say);
    if (typeof opened === "string") return opened;
    onOpened(opened);
    return undefined;
  };
  const openLarge = async (secretId: string, bytes: number, say: (progress: string) => void) => {
    const part = await import("./large-submissions.tsx").catch(() => undefined);
    if (!part) return PAGE.failed.stale;
    const watch = { say, show: setDownload };
    const opened = await part
      .openLargeSubmission({ person, request, kept }, { secretId, bytes }, watch)
      .finally(() => setDownload(undefined));
    if (typeof opened === "string") return opened;
    onLargeOpened(opened, part);
    return undefined;
  };
  const open = (secretId: string) =>
    task.run(async (say) => {
      setOpenedLast(secretId);
      // Nobody knows yet which are large when it is pressed at once.
      const { large } = live.value ?? (await readAnswers(collection));
      const bytes = large.get(secretId);
      const complaint = await (bytes === undefined ? openWhole(secretId, say) : openLarge(secretId, bytes, say));
      // Without the server, the screen keeps showing the last known state.
      if (complaint !== undefined) await live.refresh().catch(() => undefined);
      return complaint;
    });
  const mayOpen = may(person, "secrets:claim");
  const waiting = request.submissions.filter(({ state }) => state === "available");
  return (
    <Screen
      title={isTitle ? note : collect.title}
      lede={describe(request)}
      up={<UpLink href={`${topUrl()}/activity#asked`} text={MENU.menu.activity} />}
    >
      {note !== "" && !isTitle && (
        <blockquote class="quote" dir="auto" translate={false}>
          {note}
        </blockquote>
      )}
      <LiveNotice live={live} />
      {mayOpen && waiting.length > 1 && <p class="hint">{collect.cost}</p>}
      <ul class="things" aria-live="polite">
        {request.submissions.map((submission, index) => (
          <SubmissionRow
            key={submission.secret_id}
            submission={submission}
            position={index + 1}
            isFirst={submission === waiting[0]}
            answers={answers}
            mayOpen={mayOpen}
            progress={openedLast === submission.secret_id ? task.progress : ""}
            complaint={openedLast === submission.secret_id ? task.complaint : ""}
            download={openedLast === submission.secret_id ? download : undefined}
            isBusy={task.progress !== ""}
            onOpen={() => void open(submission.secret_id)}
          />
        ))}
      </ul>
      {request.submissions.length > 0 && isOver(request, kept) && <p class="hint">{collect.keyDeleted}</p>}
    </Screen>
  );
}

function describe(request: RequestMetadata): string {
  const { submission_count: count, max_submissions: most, expires_at: expiresAt, state } = request;
  const number = count === 0 ? "" : collect.handedInOf(count, most);
  if (hasEnded(request)) return number || collect.nothing;
  const rest = state === "paused" ? collect.paused : collect.until(formatTime(expiresAt));
  return [number || (state === "paused" ? "" : collect.nothingYet), rest].filter(Boolean).join(" ");
}
