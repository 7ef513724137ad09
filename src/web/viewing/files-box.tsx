import { useMemo, useState } from "preact/hooks";
import type { ContentFile } from "../../crypto/contents.ts";
import { zipFiles } from "../contents/archives.ts";
import { kindOfFile, previewOf } from "../contents/file-kinds.ts";
import type { FileKind } from "../contents/file-kinds.ts";
import { compareNames } from "../contents/name-order.ts";
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

/** The files that are listed at first. */
const FIRST_ROWS = 10;
/** So many more are listed at once, too: a button would take the room of one. */
const FEW_ROWS = 2;
/** With more files than this, all of them are downloaded at once, and the button for that comes first. */
const MANY_FILES = 5;
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
  const [words, setWords] = useState("");
  const [areAllListed, setAllListed] = useState(false);
  const rows = useMemo(() => listRows(files), [files]);
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
  const areMany = rows.length > MANY_FILES;
  const found = rows.filter((index) => fold(files[index]?.name ?? "").includes(fold(words.trim())));
  const listed = areAllListed || found.length <= FIRST_ROWS + FEW_ROWS ? found : found.slice(0, FIRST_ROWS);
  const saving = (
    <>
      <button
        type="button"
        class={isMain ? "button primary" : "button"}
        aria-disabled={task.progress !== ""}
        onClick={() => (isOne ? save(only) : void saveAll())}
      >
        <Icon name="download" />
        {isOne ? opened.save : opened.saveAll}
      </button>
      <Complaint text={task.complaint} />
    </>
  );
  return (
    <>
      {areMany && <div class="buttons">{saving}</div>}
      {rows.length > FIRST_ROWS && (
        <input
          class="input"
          type="search"
          aria-label={opened.find}
          placeholder={opened.find}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <ul class="fit">
        {listed.map((index) => (
          <FileRow key={index} file={files[index]} isTaken={taken.has(index)} onSave={() => save(index)} />
        ))}
      </ul>
      {rows.length === 0 && <p>{opened.noFiles}</p>}
      {rows.length > 0 && found.length === 0 && <p role="status">{opened.noneFound}</p>}
      {listed.length < found.length && (
        <div class="buttons">
          <button type="button" class="button" onClick={() => setAllListed(true)}>
            {opened.showMore(found.length - listed.length)}
          </button>
        </div>
      )}
      {!areMany && <div class="buttons">{saving}</div>}
    </>
  );
}

/** The indexes of the files without the folders, by name. */
export function listRows(files: readonly Pick<ContentFile, "name" | "isFolder">[]): readonly number[] {
  return files
    .map(({ name, isFolder }, index) => ({ name, isFolder, index }))
    .filter(({ isFolder }) => !isFolder)
    .toSorted((one, other) => compareNames(one.name, other.name))
    .map(({ index }) => index);
}

/** Folds a name, so that a search finds it in any case. */
function fold(name: string): string {
  return name.normalize("NFC").toLocaleLowerCase();
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
        <FileName name={name} />
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

/** A name of two lines at most. A longer one is cut before its end, because the ending tells the kind. */
export function FileName({ name }: { readonly name: string }) {
  const characters = Array.from(name);
  if (characters.length <= MAX_NAME) return <bdi class="file-name">{name}</bdi>;
  const shown = `${characters.slice(0, MAX_NAME - NAME_END).join("")}…${characters.slice(-NAME_END).join("")}`;
  return (
    <bdi class="file-name" title={name}>
      {shown}
    </bdi>
  );
}

/** In characters: about two lines on a phone, of which the last part is the end of the name. */
const MAX_NAME = 48;
const NAME_END = 14;

const NO_FILE: ContentFile = { name: "", bytes: new Uint8Array(), isExecutable: false, isFolder: false };
