import { useId, useRef, useState } from "preact/hooks";
import { Drawing } from "../frame/icon.tsx";
import { SENDING } from "../texts/sending.ts";
import { CopyButton, selectAllOf } from "./copy-button.tsx";
import { QrCode } from "./qr-code.tsx";

const QR =
  "M5 4h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1zM15 4h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1zM5 14h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1zM14 14v2.5M14 20h2.5M17.5 14H20v2.5M20 20v.1M17 17v.1";
const SHARE =
  "M12 14.5V3.75M8 7.5l4-4 4 4M8 10.5H6.5A1.5 1.5 0 0 0 5 12v7a1.5 1.5 0 0 0 1.5 1.5h11A1.5 1.5 0 0 0 19 19v-7a1.5 1.5 0 0 0-1.5-1.5H16";

const { link: words } = SENDING;

/** A link with its QR code, and buttons to copy it and to share a message with it. */
export function LinkView(props: {
  readonly link: string;
  /** The name of the link. */
  readonly label: string;
  /** A message that presents the link, ready to send. */
  readonly message: string;
  /** The text of the copy button, the first button of the screen. */
  readonly copyLabel?: string;
  /** Called when the link was copied or shared, or its code was asked for. */
  readonly onTaken?: () => void;
}) {
  const { link, label, message, copyLabel = words.copy, onTaken } = props;
  const [hasCode, setCode] = useState(false);
  const shown = useRef<HTMLDivElement>(null);
  const codeId = useId();
  const canShare = "share" in navigator;
  const sharesFirst = canShare && matchMedia("(pointer: coarse)").matches;
  const share = () => void navigator.share({ text: message }).then(onTaken, () => undefined);
  const toggle = () => {
    setCode(!hasCode);
    onTaken?.();
  };
  const sharing = canShare ? (
    <button type="button" class={sharesFirst ? "button primary" : "button"} onClick={share}>
      <Drawing shape={SHARE} />
      {words.share}
    </button>
  ) : (
    <CopyButton
      text={message}
      label={words.copyMessage}
      onCopied={onTaken}
      onRefused={() => selectAllOf(shown.current)}
    />
  );
  return (
    <div class="give">
      <div class="stack-m">
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
          {sharesFirst && sharing}
          <CopyButton
            text={link}
            label={copyLabel}
            class={sharesFirst ? "button" : "button primary"}
            onCopied={onTaken}
            onRefused={() => selectAllOf(shown.current)}
          />
          {!sharesFirst && sharing}
          <button
            type="button"
            class="button only-on-phone"
            aria-expanded={hasCode}
            aria-controls={codeId}
            onClick={toggle}
          >
            <Drawing shape={QR} />
            {hasCode ? words.hideCode : words.code}
          </button>
        </div>
      </div>
      <figure class={hasCode ? "qr-box" : "qr-box not-on-phone"} id={codeId}>
        <QrCode text={link} label={words.codeOf} />
        <figcaption>{words.scan}</figcaption>
      </figure>
    </div>
  );
}
