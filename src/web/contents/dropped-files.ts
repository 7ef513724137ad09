import { hasTooManyEntries, MAX_ENTRIES } from "../../crypto/contents.ts";
import { EntryNameError, splitEntryName } from "../../crypto/entry-names.ts";
import { compareNames } from "./name-order.ts";

/** A chosen file. Its name is the path that starts with the chosen folder. */
export type ChosenFile = Pick<File, "name" | "size" | "type" | "slice" | "arrayBuffer">;

/** The files of one choice, drop or paste. Empty folders are left out, hidden files are not. */
export interface ChosenFiles {
  readonly files: readonly ChosenFile[];
  /** The names of files that the browser could not read. */
  readonly unreadable: readonly string[];
  /** True when there were more files than can be sent; the rest was not read. */
  readonly isCut: boolean;
}

/** The reason why a chosen file was not added. */
export type FileRefusal =
  /** Another file or a folder has the same name, and the recipient could write only one of them. */
  | { readonly kind: "same_name"; readonly name: string }
  /** The recipient could not write the name: it is too long, too deep, or leads out of its folder. */
  | { readonly kind: "bad_name"; readonly name: string }
  | { readonly kind: "unreadable"; readonly name: string }
  /** There are more than 10,000 files and folders in total; none was added. */
  | { readonly kind: "too_many" };

/** The extensions for unnamed pictures, by media type. */
const PICTURE_ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};
const NAMELESS_PICTURE = /^(|blob|image\.(png|jpe?g|gif|webp))$/i;

/** Returns the files of a file field, with their paths when a folder was chosen. */
export function filesOfInput(list: Iterable<File>): ChosenFiles {
  const files = [...list].map((file) => withName(file, file.webkitRelativePath || file.name));
  return { files, unreadable: [], isCut: false };
}

/** Returns the dropped files, including those in folders. Call it during the event: `data` is empty afterwards. */
export function filesOfDrop(data: DataTransfer): Promise<ChosenFiles> {
  const roots = [...data.items]
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry?.() ?? undefined, file: item.getAsFile() ?? undefined }));
  return walk(roots.length > 0 ? roots : [...data.files].map((file) => ({ entry: undefined, file })));
}

/**
 * Returns the pasted files. An unnamed picture becomes `image-1.png` and so on, past the names in `present`. Undefined
 * for pasted text, which some programs offer as a picture too: the browser then pastes it. Call it during the event.
 */
export function filesOfPaste(data: DataTransfer, present: readonly ChosenFile[]): Promise<ChosenFiles> | undefined {
  const files = [...data.items].filter(({ kind }) => kind === "file").map((item) => item.getAsFile());
  if (files.length === 0) return undefined;
  const isPicture = files.every((file) => file !== null && isNamelessPicture(file));
  if (isPicture && data.getData("text/plain") !== "") return undefined;
  return filesOfDrop(data).then((chosen) => ({ ...chosen, files: namePictures(chosen.files, present) }));
}

/**
 * Appends the chosen files, and returns why some of them were refused. A phone calls every photo that it takes
 * `image.jpg`: the second one becomes `image-1.jpg`.
 */
export function addFiles(
  present: readonly ChosenFile[],
  { files, unreadable, isCut }: ChosenFiles,
): { readonly files: readonly ChosenFile[]; readonly refusals: readonly FileRefusal[] } {
  const refusals: FileRefusal[] = unreadable.map((name) => ({ kind: "unreadable", name }));
  const names = new Set(present.map(({ name }) => name));
  const folders = new Set(present.flatMap(({ name }) => foldersOf(name)));
  const added: ChosenFile[] = [];
  for (const given of files) {
    const file = isNamelessPicture(given) && names.has(given.name) ? numberPicture(given, names) : given;
    const { name } = file;
    const kind = isBadName(name) ? "bad_name" : isTaken(name, names, folders) ? "same_name" : undefined;
    if (kind) {
      refusals.push({ kind, name });
      continue;
    }
    names.add(name);
    for (const folder of foldersOf(name)) folders.add(folder);
    added.push(file);
  }
  if (isCut || hasTooManyEntries([...names])) return { files: present, refusals: [{ kind: "too_many" }] };
  return { files: [...present, ...added], refusals };
}

interface Root {
  readonly entry: FileSystemEntry | undefined;
  readonly file: File | undefined;
}

/** Reads files and folders recursively, and stops at the most that can be sent. */
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

/** The entries of a folder by name, slightly more than `most` at the most: browsers return a hundred at a time. */
async function readFolder(folder: FileSystemDirectoryEntry, most: number): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    inside.push(...more);
    if (more.length === 0 || inside.length > most) return inside.toSorted((a, b) => compareNames(a.name, b.name));
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

/** Gives unnamed pictures the next free name. */
function namePictures(files: readonly ChosenFile[], present: readonly ChosenFile[]): readonly ChosenFile[] {
  const taken = new Set([...present, ...files].map(({ name }) => name));
  return files.map((file) => {
    if (!isNamelessPicture(file)) return file;
    const named = numberPicture(file, taken);
    taken.add(named.name);
    return named;
  });
}

/** Gives a picture the next name that isn't taken. */
function numberPicture(file: ChosenFile, taken: ReadonlySet<string>): ChosenFile {
  let n = 1;
  const nameOf = () => `image-${n}.${PICTURE_ENDINGS[file.type]}`;
  while (taken.has(nameOf())) n++;
  return withName(file, nameOf());
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

/** True when a file of that name would replace a file or folder, or needs a folder where a file is. */
function isTaken(name: string, names: ReadonlySet<string>, folders: ReadonlySet<string>): boolean {
  return names.has(name) || folders.has(name) || foldersOf(name).some((folder) => names.has(folder));
}

/** The parent folders of a path. */
function foldersOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
