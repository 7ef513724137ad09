import { useState } from "preact/hooks";
import { useUnsaved } from "../browser/unsaved.ts";
import { isEmpty } from "../composing/drafts.ts";
import type { ContentDraft } from "../composing/drafts.ts";
import type { Notice } from "../frame/notices.ts";
import { NoticeScreen } from "../frame/screens.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Warning } from "../parts/warning.tsx";
import { PAGE } from "../texts/page.ts";
import { SUBMITTING } from "../texts/submitting.ts";

const { submit } = SUBMITTING;

/** The end of a request before something was handed in. */
export interface LateEnd {
  readonly notice: Notice;
  /** Says whether the content may have arrived. */
  readonly fate: string;
}

/** The screen of a request that ended first. It keeps the typed content available to copy. */
export function LateScreen({ end, content }: { readonly end: LateEnd; readonly content: ContentDraft }) {
  const [isTaken, setTaken] = useState(false);
  const take = () => setTaken(true);
  useUnsaved(!isTaken && !isEmpty(content), "typed");
  return (
    <NoticeScreen notice={end.notice}>
      <Warning>{end.fate}</Warning>
      {content.text !== "" && (
        <div class="stack-s">
          <p>{submit.kept}</p>
          <div class="secret" translate={false}>
            <pre class="secret-text" dir="auto" tabIndex={0} role="group" aria-label={PAGE.theText} onCopy={take}>
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
