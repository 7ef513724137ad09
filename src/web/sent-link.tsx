import { useState } from "preact/hooks";
import type { SentSecret } from "../client/shares.ts";
import { idEndOf } from "./id-end.tsx";
import { formatTime } from "./formats.ts";
import { LinkView } from "./link-view.tsx";
import { Screen } from "./screens.tsx";
import { STRINGS } from "./strings.ts";
import { mayLose, useUnsaved } from "./unsaved.ts";

const { sent: words } = STRINGS;

/** The link to pass on. It is shown here and kept nowhere. */
export function SentLink({ sent, onMore }: { readonly sent: SentSecret; readonly onMore: () => void }) {
  const [isTaken, setTaken] = useState(false);
  useUnsaved(!isTaken);
  return (
    <Screen title={words.title}>
      <p>{words.text(formatTime(sent.secret.expires_at), idEndOf(sent.secret.id))}</p>
      <LinkView link={sent.link} label={words.link} onTaken={() => setTaken(true)} />
      <p>
        <button type="button" class="plain" onClick={() => mayLose() && onMore()}>
          {words.more}
        </button>
      </p>
    </Screen>
  );
}
