import { useState } from "preact/hooks";
import { toFiles } from "../../crypto/contents.ts";
import type { Content, ContentFile } from "../../crypto/contents.ts";
import { inWorker } from "../browser/workers.ts";
import { Screen } from "../frame/screens.tsx";
import { STRINGS } from "../strings.ts";
import { CopyButton } from "./copy-button.tsx";
import { formatSize } from "./formats.ts";

/** More files than anybody downloads one by one. */
const MAX_ROWS = 100;
/** More text than anybody reads, in characters; laying out a long line of it would hold the page up for half a minute. */
const MAX_SHOWN = 50_000;
const { opened } = STRINGS;

/**
 * The content of a secret, and how long it can be seen: text is shown as text and nothing else, files are only ever
 * downloads.
 */
export function ContentView({ content, note }: { readonly content: Content; readonly note: string }) {
  switch (content.kind) {
    case "text":
      return <TextView text={content.text} note={note} />;
    case "binary":
      return (
        <Screen title={opened.files}>
          <ul class="files">
            <FileRow name={opened.unnamed} bytes={content.bytes} />
          </ul>
          <p class="quiet">{note}</p>
        </Screen>
      );
    case "files":
    case "both":
      return <FilesView files={toFiles(content)} note={note} />;
  }
}

function FilesView({ files: all, note }: { readonly files: readonly ContentFile[]; readonly note: string }) {
  const files = all.filter(({ isFolder }) => !isFolder);
  const saveAll = async () => {
    download(opened.archive, await inWorker({ kind: "archive", content: { kind: "files", files: all } }));
  };
  return (
    <Screen title={opened.files}>
      <ul class="files">
        {files.slice(0, MAX_ROWS).map(({ name, bytes }, index) => (
          <FileRow key={index} name={name} bytes={bytes} />
        ))}
      </ul>
      {files.length === 0 && <p>{opened.noFiles}</p>}
      {files.length > MAX_ROWS && <p>{opened.more(files.length - MAX_ROWS)}</p>}
      {all.length > 1 && (
        <p>
          <button type="button" class="plain" onClick={() => void saveAll()}>
            {opened.saveAll}
          </button>
        </p>
      )}
      <p class="quiet">{note}</p>
    </Screen>
  );
}

function FileRow({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }) {
  return (
    <li>
      <span>
        <bdi>{name}</bdi> <small>{formatSize(bytes.length)}</small>
      </span>
      <button type="button" aria-label={opened.download(name)} onClick={() => download(name, bytes)}>
        {opened.save}
      </button>
    </li>
  );
}

function TextView({ text, note }: { readonly text: string; readonly note: string }) {
  const [isHidden, setHidden] = useState(false);
  const isLong = text.length > MAX_SHOWN;
  const saveText = () => download(opened.textFile, new TextEncoder().encode(text));
  return (
    <Screen title={opened.text}>
      <pre class="secret" dir="auto" tabIndex={0} aria-label={opened.text}>
        {isHidden ? "•".repeat(12) : text.slice(0, MAX_SHOWN)}
      </pre>
      <p class="buttons">
        <CopyButton text={text} />
        <button type="button" class="plain" onClick={() => setHidden(!isHidden)}>
          {isHidden ? opened.show : opened.hide}
        </button>
        {isLong && (
          <button type="button" class="plain" onClick={saveText}>
            {opened.saveText}
          </button>
        )}
      </p>
      {isLong && <p>{opened.longText}</p>}
      <p class="quiet">{note}</p>
    </Screen>
  );
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
