import { useState } from "preact/hooks";
import type { RequestMetadata } from "../../client/requests.ts";
import { mayLose, useUnsaved } from "../browser/unsaved.ts";
import { formatTime } from "../parts/formats.ts";
import { LinkView } from "../parts/link-view.tsx";
import { Screen } from "../parts/screens.tsx";
import { STRINGS } from "../strings.ts";

const { asked: words } = STRINGS;

/** A request as it was made here. */
export interface Asked {
  readonly link: string;
  /** For another browser. */
  readonly collectLink: string;
  readonly request: RequestMetadata;
  /** Whether this browser keeps what opens the answers. */
  readonly isKept: boolean;
  /** Whether it is likely to keep it. */
  readonly isSafe: boolean;
}

/** The link to pass on, and the one to keep. */
export function AskedLink({ asked, onMore }: { readonly asked: Asked; readonly onMore: () => void }) {
  const [isTaken, setTaken] = useState(false);
  const [isCollectTaken, setCollectTaken] = useState(asked.isKept);
  useUnsaved(!isTaken || !isCollectTaken);
  return (
    <Screen title={words.title}>
      <p>{words.text(formatTime(asked.request.expires_at))}</p>
      <LinkView link={asked.link} label={words.link} onTaken={() => setTaken(true)} />
      <h2>{words.collectTitle}</h2>
      <p>{asked.isKept ? words.kept : <strong>{words.notKept}</strong>}</p>
      <details open={!asked.isSafe}>
        <summary>{words.show}</summary>
        <LinkView link={asked.collectLink} label={words.collectLink} onTaken={() => setCollectTaken(true)} />
      </details>
      <p>
        <button type="button" class="plain" onClick={() => mayLose() && onMore()}>
          {words.more}
        </button>
      </p>
    </Screen>
  );
}
