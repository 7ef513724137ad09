import { useId, useRef, useState } from "preact/hooks";
import { Icon } from "../frame/icon.tsx";
import { SENDING } from "../texts/sending.ts";
import { CopyButton, selectAllOf } from "./copy-button.tsx";
import { QrCode } from "./qr-code.tsx";

const { link: words } = SENDING;

/** A link with buttons to copy, scan and share it. */
export function LinkView(props: {
  readonly link: string;
  /** The name of the link. */
  readonly label: string;
  /** The text of the copy button, the first button of the screen. */
  readonly copyLabel?: string;
  /** The warning beside the QR code. */
  readonly codeHint?: string;
  /** Called when the link was copied, shared or shown as a code. */
  readonly onTaken?: () => void;
}) {
  const { link, label, copyLabel = words.copy, codeHint, onTaken } = props;
  const [hasCode, setCode] = useState(false);
  const shown = useRef<HTMLDivElement>(null);
  const codeId = useId();
  const canShare = "share" in navigator;
  const sharesFirst = canShare && matchMedia("(pointer: coarse)").matches;
  const share = () => void navigator.share({ url: link }).then(onTaken, () => undefined);
  const toggle = () => {
    setCode(!hasCode);
    onTaken?.();
  };
  return (
    <>
      <div
        ref={shown}
        class="link"
        role="group"
        dir="ltr"
        tabIndex={0}
        aria-label={label}
        translate={false}
        onCopy={onTaken}
      >
        {link}
      </div>
      <div class="buttons">
        {sharesFirst && (
          <button type="button" class="button primary wide" onClick={share}>
            <Icon name="share" />
            {words.shareFirst}
          </button>
        )}
        <CopyButton
          text={link}
          label={copyLabel}
          class={sharesFirst ? "button" : "button primary wide"}
          onCopied={onTaken}
          onRefused={() => selectAllOf(shown.current)}
        />
        {canShare && !sharesFirst && (
          <button type="button" class="button" onClick={share}>
            <Icon name="share" />
            {words.share}
          </button>
        )}
        <button type="button" class="button" aria-expanded={hasCode} aria-controls={codeId} onClick={toggle}>
          <Icon name="qr" />
          {hasCode ? words.hideCode : words.code}
        </button>
      </div>
      {hasCode && (
        <div class="code" id={codeId}>
          <QrCode text={link} label={words.codeOf} />
          <div class="stack-s">
            <h2>{words.scan}</h2>
            {codeHint && <p class="quiet small">{codeHint}</p>}
          </div>
        </div>
      )}
    </>
  );
}
