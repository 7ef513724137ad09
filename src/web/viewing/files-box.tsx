import { useMemo, useState } from "preact/hooks";
import type { ContentFile } from "../../crypto/contents.ts";
import { zipFiles } from "../contents/archives.ts";
import { kindOfFile, previewOf } from "../contents/file-kinds.ts";
import type { FileKind } from "../contents/file-kinds.ts";
import { Icon } from "../frame/icon.tsx";
import type { IconName } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { formatSize } from "../parts/formats.ts";
import { IconButton } from "../parts/icon-button.tsx";
import { printable } from "../parts/printable.ts";
import { useTask } from "../parts/tasks.ts";
import { OPENING } from "../texts/opening.ts";
import { download } from "./downloads.ts";
import { Preview } from "./previews.tsx";

/** More files than people download one by one. */
const MAX_ROWS = 100;
const ICONS: Readonly<Record<FileKind, IconName>> = {
  image: "image",
  pdf: "file",
  text: "text",
  key: "key",
  archive: "files",
  other: "file",
};
const { opened } = OPENING;

/** Files and folders to view and save. `onTaken` is called with the index of each file that was saved or copied. */
export function FilesBox(props: {
  readonly files: readonly ContentFile[];
  /** True when the files are the main content of the screen. */
  readonly isMain: boolean;
  readonly taken: ReadonlySet<number>;
  readonly onTaken: (indexes: readonly number[]) => void;
}) {
  const { files, isMain, taken, onTaken } = props;
  const task = useTask(() => opened.notZipped);
  const rows = [...files.keys()].filter((index) => !files[index]?.isFolder);
  const save = (index: number) => {
    const file = files[index];
    if (!file) return;
    download(file.name, file.bytes);
    onTaken([index]);
  };
  const saveAll = () =>
    task.run(async () => {
      download(opened.archive, await zipFiles(files));
      onTaken(rows);
      return undefined;
    });
  const [only] = rows;
  const isOne = rows.length === 1 && files.length === 1 && only !== undefined;
  const shape = isMain ? "button primary wide-on-phone" : "button";
  return (
    <>
      <ul class="fit">
        {rows.slice(0, MAX_ROWS).map((index) => (
          <FileRow key={index} file={files[index]} isTaken={taken.has(index)} onSave={() => save(index)} />
        ))}
      </ul>
      {rows.length === 0 && <p>{opened.noFiles}</p>}
      {rows.length > MAX_ROWS && <p>{opened.more(rows.length - MAX_ROWS)}</p>}
      <div class="buttons">
        <button
          type="button"
          class={shape}
          aria-disabled={task.progress !== ""}
          onClick={() => (isOne ? save(only) : void saveAll())}
        >
          <Icon name="download" />
          {isOne ? opened.save : opened.saveAll}
        </button>
      </div>
      <Complaint text={task.complaint} />
    </>
  );
}

function FileRow(props: {
  readonly file: ContentFile | undefined;
  readonly isTaken: boolean;
  readonly onSave: () => void;
}) {
  const { file = NO_FILE, isTaken, onSave } = props;
  const { bytes } = file;
  const name = printable(file.name);
  const [isOpen, setOpen] = useState(false);
  const kind = useMemo(() => kindOfFile(file.name, bytes), [file.name, bytes]);
  const preview = useMemo(() => previewOf(bytes), [bytes]);
  const size = formatSize(bytes.length);
  const look = isOpen ? opened.hideThis(name) : opened.showThis(name);
  return (
    <li class="file">
      <Icon name={ICONS[kind]} />
      <span>
        <bdi class="file-name">{name}</bdi>
        <span class="file-meta">{isTaken ? opened.saved(size) : size}</span>
      </span>
      <span class="file-tools">
        {preview && (
          <IconButton
            icon={isOpen ? "eye-off" : "eye"}
            label={look}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        <IconButton icon={isTaken ? "check" : "download"} label={opened.download(name)} onClick={onSave} />
      </span>
      {preview && isOpen && <Preview name={name} bytes={bytes} preview={preview} />}
    </li>
  );
}

const NO_FILE: ContentFile = { name: "", bytes: new Uint8Array(), isExecutable: false, isFolder: false };
