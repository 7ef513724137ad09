import { useState } from "preact/hooks";
import type { SentSecret } from "../../client/stored-secrets.ts";
import type { SecretState } from "../../contract/states.ts";
import { parseSecretLink } from "../../crypto/secret-links.ts";
import { useUnsaved } from "../browser/unsaved.ts";
import { mayLose } from "../frame/leaving.ts";
import { Screen } from "../frame/screens.tsx";
import { formatTime } from "../parts/formats.ts";
import { idEndOf } from "../parts/id-end.tsx";
import { LinkView } from "../parts/link-view.tsx";
import { STRINGS } from "../strings.ts";

const { sent: words } = STRINGS;

/** The link to pass on. It is shown here and kept nowhere. */
export function SentLink(props: {
  readonly sent: SentSecret;
  /** As the list below has it by now. */
  readonly state: SecretState;
  readonly onMore: () => void;
}) {
  const { sent, state, onMore } = props;
  const { secret } = sent;
  const [isTaken, setTaken] = useState(false);
  useUnsaved(!isTaken && state === "available", "link");
  return (
    <Screen title={state === "available" ? words.title : STRINGS.send.title}>
      {state === "available" ? (
        <>
          <p>
            {words.text(parseSecretLink(sent.link).needsPassphrase, secret.max_claims, formatTime(secret.expires_at))}
          </p>
          <p>{words.shownOnce(idEndOf(secret.id))}</p>
          <LinkView link={sent.link} label={words.link} onTaken={() => setTaken(true)} />
        </>
      ) : (
        <p role="status">{words.over(state)}</p>
      )}
      <p>
        <button type="button" class="plain" onClick={() => void mayLose().then((may) => may && onMore())}>
          {words.more}
        </button>
      </p>
    </Screen>
  );
}
