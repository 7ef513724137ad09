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
import type { OpenedSecret } from "../viewing/opened-screen.tsx";
import { describeCollecting, openSubmission, readAnswers } from "./collections.ts";
import type { Answers, Collection } from "./collections.ts";
import { SubmissionRow } from "./submission-row.tsx";

const { collect } = ACTIVITY;
/** In characters: a longer note is not shown as the title. */
const MAX_TITLE = 60;

/** The submissions to a request, updated as they arrive. */
export function CollectScreen(props: {
  readonly collection: Collection;
  readonly onOpened: (secret: OpenedSecret) => void;
}) {
  const { collection, onOpened } = props;
  const { person, note, form } = collection;
  const [openedLast, setOpenedLast] = useState("");
  const task = useTask((error) => describeCollecting(error).text);
  const live = useLive(person, () => readAnswers(collection));
  const answers: Answers = live.value ?? { ...collection, ends: new Map() };
  const { request, kept } = answers;
  const isTitle = note !== "" && note.length <= MAX_TITLE && !note.includes("\n");

  const open = (secretId: string) =>
    task.run(async (say) => {
      setOpenedLast(secretId);
      const opened = await openSubmission({ person, request, kept, form }, secretId, say);
      if (typeof opened !== "string") {
        onOpened(opened);
        return undefined;
      }
      // Without the server, the screen keeps showing the last known state.
      await live.refresh().catch(() => undefined);
      return opened;
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
