import type { ChosenFile } from "../contents/dropped-files.ts";
import { kindOfFile } from "../contents/file-kinds.ts";
import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";
import { formatSize } from "../parts/formats.ts";
import { IconButton } from "../parts/icon-button.tsx";
import { printable } from "../parts/printable.ts";
import { SUBMITTING } from "../texts/submitting.ts";

const { content: words } = SUBMITTING;
/** A folder may have thousands of files, and nobody reads more rows than this. */
const MAX_ROWS = 50;
const UNREAD = new Uint8Array();

/** The chosen files, each with a button that removes it. */
export function FileRows(props: {
  readonly files: readonly ChosenFile[];
  readonly isBusy: boolean;
  readonly onChange: (files: readonly ChosenFile[]) => void;
}) {
  const { files, isBusy, onChange } = props;
  if (files.length === 0) return null;
  const rest = files.length - MAX_ROWS;
  return (
    <ul class="files">
      {files.slice(0, MAX_ROWS).map((each) => (
        <FileRow key={each.name} file={each}>
          <IconButton
            icon="close"
            label={words.remove(printable(each.name))}
            aria-disabled={isBusy}
            onClick={() => isBusy || onChange(files.filter((other) => other !== each))}
          />
        </FileRow>
      ))}
      {rest > 0 && (
        <li class="file">
          <Icon name="files" />
          <span class="quiet">{words.moreFiles(rest)}</span>
          <span class="file-tools">
            <button type="button" class="button text" aria-disabled={isBusy} onClick={() => isBusy || onChange([])}>
              {words.removeAll}
            </button>
          </span>
        </li>
      )}
    </ul>
  );
}

/** A file with its icon, name and size. */
export function FileRow(props: { readonly file: ChosenFile; readonly children?: preact.ComponentChildren }) {
  const { name, size } = props.file;
  return (
    <li class="file">
      <Icon name={iconOf(props.file)} />
      <span>
        <bdi class="file-name">{printable(name)}</bdi>
        <span class="file-meta">{formatSize(size)}</span>
      </span>
      <span class="file-tools">{props.children}</span>
    </li>
  );
}

/** Uses name and type alone, because the content has not been read yet. */
function iconOf({ name, type }: ChosenFile): IconName {
  if (type.startsWith("image/")) return "image";
  return kindOfFile(name, UNREAD) === "key" ? "key" : "file";
}
