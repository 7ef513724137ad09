import { hasTooManyEntries, MAX_ENTRIES } from "../../crypto/contents.ts";
import { EntryNameError, splitEntryName } from "../../crypto/entry-names.ts";

/** A file that somebody has chosen. Its name is the path from the folder that was chosen, that folder included. */
export type ChosenFile = Pick<File, "name" | "size" | "type" | "slice" | "arrayBuffer">;

/** Everything that was chosen, dropped or pasted at once. Folders that are empty are left out, hidden files are not. */
export interface ChosenFiles {
  readonly files: readonly ChosenFile[];
  /** The names of what the browser could not read. */
  readonly unreadable: readonly string[];
  /** True when there is more than can be sent, and the rest was not even looked at. */
  readonly isCut: boolean;
}

/** The reason why something that was chosen is not among the files. */
export type FileRefusal =
  /** A file has that name already, or a folder: only one of them could be written where they arrive. */
  | { readonly kind: "same_name"; readonly name: string }
  /** The name could not be written where it arrives: it is too long, too deep, or leads out of its folder. */
  | { readonly kind: "bad_name"; readonly name: string }
  | { readonly kind: "unreadable"; readonly name: string }
  /** Together they are more than 10,000 files and folders; none was added. */
  | { readonly kind: "too_many" };

/** The endings of pictures that have no name, by their type. */
const PICTURE_ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};
const NAMELESS_PICTURE = /^(|blob|image\.(png|jpe?g|gif|webp))$/i;

/** The files of a file field, with their paths where a folder was chosen. */
export function filesOfInput(list: Iterable<File>): ChosenFiles {
  const files = [...list].map((file) => withName(file, file.webkitRelativePath || file.name));
  return { files, unreadable: [], isCut: false };
}

/** The files that were dropped, those in folders included. To be called at once: after the event, nothing is in `data`. */
export function filesOfDrop(data: DataTransfer): Promise<ChosenFiles> {
  const roots = [...data.items]
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry?.() ?? undefined, file: item.getAsFile() ?? undefined }));
  return walk(roots.length > 0 ? roots : [...data.files].map((file) => ({ entry: undefined, file })));
}

/**
 * The files that were pasted beside `present`; a picture without a name is `image-1.png`, and so on. Undefined when it is text
 * that was pasted, of which some programs offer a picture too: then the browser is to go on by itself. To be called at once.
 */
export function filesOfPaste(data: DataTransfer, present: readonly ChosenFile[]): Promise<ChosenFiles> | undefined {
  const files = [...data.items].filter(({ kind }) => kind === "file").map((item) => item.getAsFile());
  if (files.length === 0) return undefined;
  const isPicture = files.every((file) => file !== null && isNamelessPicture(file));
  if (isPicture && data.getData("text/plain") !== "") return undefined;
  return filesOfDrop(data).then((chosen) => ({ ...chosen, files: namePictures(chosen.files, present) }));
}

/** The files with those that were chosen behind them, and why some of these are not. */
export function addFiles(
  present: readonly ChosenFile[],
  { files, unreadable, isCut }: ChosenFiles,
): { readonly files: readonly ChosenFile[]; readonly refusals: readonly FileRefusal[] } {
  const refusals: FileRefusal[] = unreadable.map((name) => ({ kind: "unreadable", name }));
  const names = new Set(present.map(({ name }) => name));
  const folders = new Set(present.flatMap(({ name }) => foldersOf(name)));
  const added = files.filter(({ name }) => {
    const kind = isBadName(name) ? "bad_name" : isTaken(name, names, folders) ? "same_name" : undefined;
    if (kind) return void refusals.push({ kind, name });
    names.add(name);
    for (const folder of foldersOf(name)) folders.add(folder);
    return true;
  });
  if (isCut || hasTooManyEntries([...names])) return { files: present, refusals: [{ kind: "too_many" }] };
  return { files: [...present, ...added], refusals };
}

interface Root {
  readonly entry: FileSystemEntry | undefined;
  readonly file: File | undefined;
}

/** Reads files, and folders to their end, but for what is more than can be sent. */
async function walk(roots: readonly Root[]): Promise<ChosenFiles> {
  const files: ChosenFile[] = [];
  const unreadable: string[] = [];
  const waiting = roots.map((root) => ({ ...root, path: root.entry?.name ?? root.file?.name ?? "" }));
  for (let count = 0, next = waiting.shift(); next; next = waiting.shift()) {
    if (++count > MAX_ENTRIES) return { files, unreadable, isCut: true };
    const { entry, file, path } = next;
    try {
      if (entry && isDirectory(entry)) {
        const inside = await readFolder(entry, MAX_ENTRIES - count);
        waiting.unshift(...inside.map((each) => ({ entry: each, file: undefined, path: `${path}/${each.name}` })));
      } else {
        const read = file ?? (entry && (await readFile(entry as FileSystemFileEntry)));
        if (read) files.push(withName(read, path));
      }
    } catch {
      unreadable.push(path);
    }
  }
  return { files, unreadable, isCut: false };
}

/** The entries of a folder by their names, and some more than `most` at the most. Browsers give a hundred at a time. */
async function readFolder(folder: FileSystemDirectoryEntry, most: number): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    inside.push(...more);
    if (more.length === 0 || inside.length > most) return inside.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}

function readFile(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isNamelessPicture({ name, type }: ChosenFile): boolean {
  return type in PICTURE_ENDINGS && NAMELESS_PICTURE.test(name);
}

/** The same files, those that are pictures without a name under the next one that is free. */
function namePictures(files: readonly ChosenFile[], present: readonly ChosenFile[]): readonly ChosenFile[] {
  const taken = new Set([...present, ...files].map(({ name }) => name));
  return files.map((file) => {
    if (!isNamelessPicture(file)) return file;
    let n = 1;
    const nameOf = () => `image-${n}.${PICTURE_ENDINGS[file.type]}`;
    while (taken.has(nameOf())) n++;
    taken.add(nameOf());
    return withName(file, nameOf());
  });
}

function withName(file: ChosenFile, name: string): ChosenFile {
  if (file.name === name) return file;
  return {
    name,
    size: file.size,
    type: file.type,
    slice: (start, end, type) => file.slice(start, end, type),
    arrayBuffer: () => file.arrayBuffer(),
  };
}

function isBadName(name: string): boolean {
  try {
    splitEntryName(name);
    return false;
  } catch (error) {
    if (!(error instanceof EntryNameError)) throw error;
    return true;
  }
}

/** True when a file of that name would be where another file or a folder is, or would need a folder where a file is. */
function isTaken(name: string, names: ReadonlySet<string>, folders: ReadonlySet<string>): boolean {
  return names.has(name) || folders.has(name) || foldersOf(name).some((folder) => names.has(folder));
}

/** The folders that a path leads through. */
function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
