import { useRef, useState } from "preact/hooks";
import { CopyRefusal, useCopying, useSelection } from "../parts/copy-button.tsx";
import { IconButton } from "../parts/icon-button.tsx";
import { PAGE } from "../texts/page.ts";
import { SENDING } from "../texts/sending.ts";

const { sent: words } = SENDING;

/** The passphrase again, hidden at first. It is to be sent in another way than the link. */
export function PassphraseLine({ passphrase }: { readonly passphrase: string }) {
  const [isShown, setShown] = useState(false);
  const shown = useRef<HTMLSpanElement>(null);
  const select = useSelection(() => shown.current);
  const { isCopied, isRefused, copy } = useCopying({
    text: passphrase,
    onRefused: () => {
      setShown(true);
      select();
    },
  });
  return (
    <div class="stack-s">
      <p>
        <b>{words.passphraseApart}</b> {words.passphraseText}
      </p>
      <ul class="secret pairs">
        <li>
          <span class="pair-name">{PAGE.passphrase.label}</span>
          {isShown ? (
            <span ref={shown} class="pair-value" dir="auto" translate={false}>
              {passphrase}
            </span>
          ) : (
            <span class="pair-value">
              <span class="veil middle" aria-hidden="true" />
              <span class="unseen">{words.hidden}</span>
            </span>
          )}
          <span class="pair-tools">
            <IconButton
              icon={isShown ? "eye-off" : "eye"}
              label={isShown ? PAGE.passphrase.hide : PAGE.passphrase.show}
              onClick={() => setShown(!isShown)}
            />
            <IconButton icon={isCopied ? "check" : "copy"} label={words.copyPassphrase} onClick={() => void copy()} />
          </span>
        </li>
      </ul>
      <CopyRefusal isRefused={isRefused} />
      <span role="status" class="unseen">
        {isCopied ? words.copiedPassphrase : ""}
      </span>
    </div>
  );
}
