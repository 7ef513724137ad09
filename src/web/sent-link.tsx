import { encodeQR } from "qr";
import { useState } from "preact/hooks";
import type { SentSecret } from "../client/shares.ts";
import { formatTime } from "./formats.ts";
import { Screen } from "./screens.tsx";
import { STRINGS } from "./strings.ts";

const { sent: words, opened } = STRINGS;

/** The link to pass on, to copy, scan or share. It is shown here and kept nowhere. */
export function SentLink({ sent, onMore }: { readonly sent: SentSecret; readonly onMore: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const [hasCode, setCode] = useState(false);
  const { link, secret } = sent;
  return (
    <Screen title={words.title}>
      <p>{words.text(formatTime(secret.expires_at))}</p>
      <pre class="secret" tabIndex={0} aria-label={words.link}>
        {link}
      </pre>
      <p class="buttons">
        <button type="button" onClick={() => void navigator.clipboard.writeText(link).then(() => setCopied(true))}>
          <span aria-live="polite">{isCopied ? opened.copied : opened.copy}</span>
        </button>
        <button type="button" class="plain" aria-expanded={hasCode} onClick={() => setCode(!hasCode)}>
          {words.code}
        </button>
        {"share" in navigator && (
          <button
            type="button"
            class="plain"
            onClick={() => void navigator.share({ url: link }).catch(() => undefined)}
          >
            {words.share}
          </button>
        )}
        <button type="button" class="plain" onClick={onMore}>
          {words.more}
        </button>
      </p>
      {hasCode && <QrCode text={link} />}
    </Screen>
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
