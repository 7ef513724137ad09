import { useEffect, useState } from "preact/hooks";
import type { Payload } from "../crypto/payloads.ts";
import { formatSize } from "./formats.ts";
import { Screen } from "./screens.tsx";
import { STRINGS } from "./strings.ts";

const COPIED_MS = 2000;
const { opened } = STRINGS;

/** What was handed over: text is shown as text and nothing else, files are only ever downloads. */
export function PayloadView({ payload }: { readonly payload: Payload }) {
  if (payload.kind === "text") return <TextView text={payload.text} />;
  const files =
    payload.kind === "files"
      ? payload.files.filter(({ isFolder }) => !isFolder)
      : [{ name: "secret.bin", bytes: payload.bytes }];
  return (
    <Screen title={opened.files}>
      <ul class="files">
        {files.map(({ name, bytes }) => (
          <li key={name}>
            <span>
              <bdi>{name}</bdi> <small>{formatSize(bytes.length)}</small>
            </span>
            <button type="button" aria-label={opened.download(name)} onClick={() => download(name, bytes)}>
              {opened.save}
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet">{opened.keep}</p>
    </Screen>
  );
}

function TextView({ text }: { readonly text: string }) {
  const [isHidden, setHidden] = useState(false);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true), selectSecret);
  return (
    <Screen title={opened.text}>
      <pre class="secret" dir="auto" tabIndex={0} aria-label={opened.text}>
        {isHidden ? "•".repeat(12) : text}
      </pre>
      <p class="buttons">
        <button type="button" onClick={copy}>
          <span aria-live="polite">{isCopied ? opened.copied : opened.copy}</span>
        </button>
        <button type="button" class="plain" onClick={() => setHidden(!isHidden)}>
          {isHidden ? opened.show : opened.hide}
        </button>
      </p>
      <p class="quiet">{opened.keep}</p>
    </Screen>
  );
}

/** Where a browser does not let a page copy, the reader can. */
function selectSecret(): void {
  const secret = document.querySelector(".secret");
  if (secret) getSelection()?.selectAllChildren(secret);
}

/** Saves bytes under the last part of their name; the type keeps a browser from showing them as a page. */
function download(name: string, bytes: Uint8Array): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name.split("/").at(-1) ?? name;
  link.click();
  // Some browsers begin to read it only after a while.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
