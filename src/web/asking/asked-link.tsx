import { useState } from "preact/hooks";
import { hasEnded } from "../../client/requests.ts";
import type { RequestMetadata, RequestSummary } from "../../contract/requests.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { mayLose } from "../frame/leaving.ts";
import { Screen } from "../frame/screens.tsx";
import { formatTime } from "../parts/formats.ts";
import { LinkView } from "../parts/link-view.tsx";
import { STRINGS } from "../strings.ts";

const { asked: words } = STRINGS;

/** A request as it was made here. */
export interface Asked {
  readonly link: string;
  /** The link for another browser. */
  readonly backupLink: string;
  readonly request: RequestMetadata;
  /** True when this browser keeps what opens the answers. */
  readonly isKept: boolean;
  /** True when it is likely to keep it. */
  readonly isSafe: boolean;
}

/** The link to pass on, for as long as it is of use, and the one to keep. */
export function AskedLink(props: {
  readonly asked: Asked;
  /** As the list below has it by now. */
  readonly request: RequestSummary;
  readonly onMore: () => void;
}) {
  const { asked, request, onMore } = props;
  const { state } = request;
  const [isTaken, setTaken] = useState(false);
  const [isBackupTaken, setBackupTaken] = useState(asked.isKept);
  // What was handed in can be opened when nothing more can be handed in.
  const hasAnswers = !hasEnded(request) || request.submission_count > 0;
  useUnsaved((!isTaken && !hasEnded(request)) || (!isBackupTaken && hasAnswers), "link");
  return (
    <Screen title={words.title}>
      {state === "open" || state === "paused" ? (
        <>
          <p>{words.text(formatTime(request.expires_at))}</p>
          <LinkView link={asked.link} label={words.link} onTaken={() => setTaken(true)} />
        </>
      ) : (
        <p role="status">{words.over(state)}</p>
      )}
      {hasAnswers && (
        <>
          <h2>{words.backupTitle}</h2>
          <p>{asked.isKept ? words.kept : <strong>{words.notKept}</strong>}</p>
          <details open={!asked.isSafe}>
            <summary>{words.show}</summary>
            <LinkView link={asked.backupLink} label={words.backupLink} onTaken={() => setBackupTaken(true)} />
          </details>
        </>
      )}
      <p>
        <button type="button" class="plain" onClick={() => void mayLose().then((may) => may && onMore())}>
          {words.more}
        </button>
      </p>
    </Screen>
  );
}
