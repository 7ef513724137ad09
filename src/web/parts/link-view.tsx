import { useState } from "preact/hooks";
import { encodeQR } from "qr";
import { STRINGS } from "../strings.ts";
import { CopyButton } from "./copy-button.tsx";

const { link: words } = STRINGS;

/** A link to pass on, to copy, scan or share. */
export function LinkView(props: {
  readonly link: string;
  readonly label: string;
  /** Called when the link may have got somewhere else. */
  readonly onTaken?: () => void;
}) {
  const { link, label, onTaken } = props;
  const [hasCode, setCode] = useState(false);
  return (
    <>
      <pre class="secret" dir="ltr" tabIndex={0} aria-label={label} onCopy={onTaken}>
        {link}
      </pre>
      <p class="buttons">
        <CopyButton text={link} onCopied={onTaken} />
        <button
          type="button"
          class="plain"
          aria-expanded={hasCode}
          onClick={() => {
            setCode(!hasCode);
            onTaken?.();
          }}
        >
          {words.code}
        </button>
        {"share" in navigator && (
          <button
            type="button"
            class="plain"
            onClick={() => void navigator.share({ url: link }).then(onTaken, () => undefined)}
          >
            {words.share}
          </button>
        )}
      </p>
      {hasCode && <QrCode text={link} />}
    </>
  );
}

function QrCode({ text }: { readonly text: string }) {
  const rows = encodeQR(text, "raw");
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg class="code" viewBox={`-1 -1 ${rows.length + 2} ${rows.length + 2}`} role="img" aria-label={words.code}>
      <path d={path} />
    </svg>
  );
}
