import { useState } from "preact/hooks";
import { getRequest, hasEnded } from "../../client/requests.ts";
import type { RequestMetadata } from "../../contract/requests.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { mayLose } from "../frame/leaving.ts";
import { Screen } from "../frame/screens.tsx";
import { formatTime } from "../parts/formats.ts";
import { LinkView } from "../parts/link-view.tsx";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import { STRINGS } from "../strings.ts";
import { RequestStrip } from "./request-strip.tsx";

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
export function AskedLink(props: { readonly person: Person; readonly asked: Asked; readonly onMore: () => void }) {
  const { person, asked, onMore } = props;
  const { id } = asked.request;
  const live = useLive(person, () => getRequest(person.client, id), { key: id, isNews: true });
  const request = live.value ?? asked.request;
  const { state } = request;
  const [isTaken, setTaken] = useState(false);
  const [isBackupTaken, setBackupTaken] = useState(asked.isKept);
  // What was handed in can be opened when nothing more can be handed in.
  const hasAnswers = !hasEnded(request) || request.submission_count > 0;
  useUnsaved((!isTaken && !hasEnded(request)) || (!isBackupTaken && hasAnswers), "link");
  return (
    <>
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
      </Screen>
      <RequestStrip
        request={request}
        hasKey={asked.isKept}
        live={live}
        onMore={() => void mayLose().then((may) => may && onMore())}
      />
    </>
  );
}
