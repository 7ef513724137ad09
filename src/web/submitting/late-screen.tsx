import { useState } from "preact/hooks";
import { useUnsaved } from "../browser/unsaved.ts";
import { isEmpty } from "../composing/drafts.ts";
import type { ContentDraft } from "../composing/drafts.ts";
import { Icon } from "../frame/icon.tsx";
import type { Notice } from "../frame/notices.ts";
import { NoticeScreen } from "../frame/screens.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { STRINGS } from "../strings.ts";

const { submit } = STRINGS;

/** The end that a request came to before something could be handed in. */
export interface LateEnd {
  readonly notice: Notice;
  /** The fate of what was to be handed in. */
  readonly fate: string;
}

/** The end of a request for whoever came too late, who can take along what they typed. */
export function LateScreen({ end, content }: { readonly end: LateEnd; readonly content: ContentDraft }) {
  const [isTaken, setTaken] = useState(false);
  const take = () => setTaken(true);
  useUnsaved(!isTaken && !isEmpty(content), "typed");
  return (
    <NoticeScreen notice={end.notice}>
      <div class="notice warn">
        <Icon name="warning" />
        <p>{end.fate}</p>
      </div>
      {content.text !== "" && (
        <div class="stack-s">
          <p>{submit.kept}</p>
          <div class="secret" translate={false}>
            <pre
              class="secret-text"
              dir="auto"
              tabIndex={0}
              role="group"
              aria-label={STRINGS.opened.theText}
              onCopy={take}
            >
              {content.text}
            </pre>
          </div>
          <div class="buttons">
            <CopyButton text={content.text} onCopied={take} />
          </div>
        </div>
      )}
    </NoticeScreen>
  );
}
