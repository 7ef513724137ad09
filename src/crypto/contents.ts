import type { TarEntry, TarHeader } from "modern-tar";
import { UserError } from "../contract/user-errors.ts";
import { splitEntryName } from "./entry-names.ts";
import type { NameStyle } from "./entry-names.ts";
import { beginsLikeTar } from "./tar-headers.ts";
import { hasUnknownKinds } from "./tar-kinds.ts";

/** The most entries in an archive, implied folders included. A stranger's archive is written to disk. */
export const MAX_ENTRIES = 10_000;

/** The content of a secret: text, bytes without a name, files, or text and files. */
export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly bytes: Uint8Array }
  | { readonly kind: "files"; readonly files: readonly ContentFile[] }
  | { readonly kind: "both"; readonly text: string; readonly files: readonly ContentFile[] };

/** An archive that was cut off, or has data after its end. It can't be unpacked, and is kept as it came. */
interface DamagedArchive {
  readonly kind: "damaged";
  readonly bytes: Uint8Array;
}

/** The decrypted content of a secret. */
export type DecodedContent = Content | DamagedArchive;

export interface ContentFile {
  /** The path relative to the folder that it is written to, separated by `/`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
  /** True for a folder, which has no bytes. It has an entry because it may be empty. */
  readonly isFolder: boolean;
  /** The name that the sender gave it, if `name` is another: escape it before showing it. */
  readonly sentName?: string;
}

/** An archive can't be unpacked; the message is for people. */
export class ContentError extends UserError {
  override readonly name = "ContentError";

  constructor(message: string) {
    super("decryption", message, { code: "unsafe_archive" });
  }
}

// The mode that marks content without a name in an archive, where it gets a sensible name for `age -d … | tar x`. A
// file with that very name is writable by its owner.
const NAMELESS_MODE = 0o400;
const NAMELESS = { text: "secret.txt", binary: "secret.bin" } as const;
/** The name of an archive that is kept as it came. */
const ARCHIVE_NAME = "secret.tar";
/** Text beside a file called `secret.txt` has a number in its name. */
const NAMELESS_NAME = /^secret(\.bin|(-[1-9][0-9]{0,4})?\.txt)$/;

/**
 * Loads what archives are read and written with. The page has it in a file of its own, because most secrets are text;
 * elsewhere this takes no time.
 */
export const loadArchives = () => import("modern-tar");

async function packTar(entries: TarEntry[]): Promise<Uint8Array> {
  return (await loadArchives()).packTar(entries);
}

/**
 * Encodes content for encryption, contract section 10. Text is bare UTF-8, so that any age tool reads it. Everything
 * else, and text that looks like an archive, is a POSIX tar archive.
 */
export async function encodeContent(content: Content): Promise<Uint8Array> {
  switch (content.kind) {
    case "text": {
      const bytes = new TextEncoder().encode(content.text);
      return beginsLikeTar(bytes) ? packTar([toNamelessEntry(toFile(NAMELESS.text, bytes))]) : bytes;
    }
    case "binary":
      return packTar([toNamelessEntry(toFile(NAMELESS.binary, content.bytes))]);
    case "files":
      return packTar(content.files.map(toEntry));
    case "both": {
      if (content.files.length === 0) return encodeContent({ kind: "text", text: content.text });
      const [text, ...files] = toFiles(content);
      return packTar([...(text ? [toNamelessEntry(text)] : []), ...files.map(toEntry)]);
    }
  }
}

/**
 * Converts content to files. Text is called `secret.txt`, bytes `secret.bin`, and a damaged archive `secret.tar`. Text
 * beside files comes first, and is called `secret-2.txt` and so on where a file has that name.
 */
export function toFiles(content: DecodedContent): readonly ContentFile[] {
  switch (content.kind) {
    case "text":
      return [toFile(NAMELESS.text, new TextEncoder().encode(content.text))];
    case "binary":
      return [toFile(NAMELESS.binary, content.bytes)];
    case "damaged":
      return [toFile(ARCHIVE_NAME, content.bytes)];
    case "files":
      return content.files;
    case "both":
      return [toFile(findTextName(content.files), new TextEncoder().encode(content.text)), ...content.files];
  }
}

/** A name for text that no file or folder has, even where case doesn't matter. */
export function findTextName(files: readonly Pick<ContentFile, "name">[]): string {
  const topOf = (name: string) => name.split("/").find((part) => part !== "" && part !== ".");
  const taken = new Set(files.map(({ name }) => topOf(name)?.toLowerCase()));
  let name: string = NAMELESS.text;
  for (let n = 2; taken.has(name); n++) name = `secret-${n}.txt`;
  return name;
}

function toFile(name: string, bytes: Uint8Array): ContentFile {
  return { name, bytes, isExecutable: false, isFolder: false };
}

/** True for text of white space alone, which nobody means to send. */
export function isBlank(text: string): boolean {
  return !/[^\r\n]/.test(text);
}

/** The content for bytes without a name, such as standard input. */
export function toContent(bytes: Uint8Array): Content {
  const text = decodeText(bytes);
  return text === undefined ? { kind: "binary", bytes } : { kind: "text", text };
}

/**
 * Decodes decrypted bytes. Unless `style` is `exact`, file names are made safe to show and to write, and no file is
 * executable. Throws ContentError for an archive with links or devices, and EntryNameError for names that lead out of
 * the folder.
 */
export async function decodeContent(bytes: Uint8Array, style: NameStyle = "safe"): Promise<DecodedContent> {
  if (!beginsLikeTar(bytes)) return toContent(bytes);
  const entries = await unpack(bytes, style);
  if (entries === undefined) return { kind: "damaged", bytes };
  const [only] = entries;
  if (entries.length === 1 && only?.isNameless && Object.values<string>(NAMELESS).includes(only.name)) {
    const text = only.name === NAMELESS.text ? decodeText(only.bytes) : undefined;
    return text === undefined ? { kind: "binary", bytes: only.bytes } : { kind: "text", text };
  }
  const nameless = entries.filter(({ isNameless }) => isNameless);
  const named = entries.filter(({ isNameless }) => !isNameless).map(toPlainFile);
  const text = nameless.length === 1 ? findText(nameless[0], named) : undefined;
  const files = text === undefined ? entries.map(toPlainFile) : named;
  if (hasTooManyEntries(files.map(({ name }) => name))) throw tooManyEntries();
  return text === undefined ? { kind: "files", files } : { kind: "both", text, files };
}

/** The text in the only `entry` without a name, if it is text beside `files`; otherwise undefined. */
export function findText(
  entry: Pick<ContentFile, "name" | "bytes"> | undefined,
  files: readonly Pick<ContentFile, "name">[],
): string | undefined {
  return entry && entry.name === findTextName(files) ? decodeText(entry.bytes) : undefined;
}

/** A file of an archive, and whether it may be content without a name. */
interface UnpackedFile extends ContentFile {
  readonly isNameless: boolean;
}

function toPlainFile({ isNameless: _isNameless, ...file }: UnpackedFile): ContentFile {
  return file;
}

/** The files of an archive; undefined when it is damaged. */
async function unpack(bytes: Uint8Array, style: NameStyle): Promise<UnpackedFile[] | undefined> {
  if (hasUnknownKinds(bytes)) throw sparse();
  const { unpackTar } = await loadArchives();
  const entries = await unpackTar(bytes, { strict: true }).catch(() => undefined);
  if (!entries) return undefined;
  // One more, for text beside the maximum number of files.
  if (entries.length > MAX_ENTRIES + 1) throw tooManyEntries();
  return entries.map(({ header, data = new Uint8Array() }) => ({ ...readHeader(header, style), bytes: data }));
}

/** What the header of an entry says. Throws ContentError for links and devices, and EntryNameError. */
export function readHeader(header: TarHeader, style: NameStyle): Omit<UnpackedFile, "bytes"> {
  const type = header.type ?? "file";
  if (type !== "file" && type !== "directory") {
    throw new ContentError("The archive in this secret has links or devices. Nothing was written.");
  }
  if (Object.keys(header.pax ?? {}).some((key) => key.startsWith("GNU.sparse."))) throw sparse();
  const name = splitEntryName(header.name, style).join("/");
  const sentName = header.name
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
  const mode = header.mode ?? 0;
  const isNameless = mode === NAMELESS_MODE && type === "file" && NAMELESS_NAME.test(name);
  const isExecutable = style === "exact" && (mode & 0o100) !== 0;
  const file = { name, isExecutable, isFolder: type === "directory", isNameless };
  return sentName === name ? file : { ...file, sentName };
}

/** The error for an archive with entries whose content isn't the data behind their header. */
export function sparse(): ContentError {
  return new ContentError(
    "The archive in this secret has sparse files, or others that handoff can't unpack. Nothing was written.",
  );
}

/** The error for an archive with more than `MAX_ENTRIES`. */
export function tooManyEntries(): ContentError {
  return new ContentError(
    "The archive in this secret has more than 10,000 files and directories. Nothing was written.",
  );
}

/** True when files with these names, and their folders, exceed `MAX_ENTRIES`. */
export function hasTooManyEntries(names: readonly string[]): boolean {
  return names.some(createEntryCounter());
}

/** Returns a function that counts a name, and its folders, and returns true when all of them exceed `MAX_ENTRIES`. */
export function createEntryCounter(): (name: string) => boolean {
  const paths = new Set<string>();
  let count = 0;
  return (name) => {
    // A second file with the same name counts too.
    if (paths.has(name)) count++;
    for (let path = name; path !== "" && !paths.has(path); path = path.slice(0, Math.max(0, path.lastIndexOf("/")))) {
      paths.add(path);
    }
    return paths.size + count > MAX_ENTRIES;
  };
}

/** The archive entry for content without a name. */
function toNamelessEntry(file: ContentFile): TarEntry {
  return { header: toHeader({ ...file, size: file.bytes.length, isNameless: true }), body: file.bytes };
}

// The same for every archive, so that it reveals nothing about its maker. tar complains about 1970.
const MODIFIED_AT = new Date("2000-01-01T00:00:00Z");

/** An entry that reveals nothing about its maker. */
function toEntry({ bytes, ...file }: ContentFile): TarEntry {
  const header = toHeader({ ...file, size: bytes.length });
  return file.isFolder ? { header } : { header, body: bytes };
}

/** The header of that entry, for a file with `size` bytes; with `isNameless`, for content without a name. */
export function toHeader(
  file: Omit<ContentFile, "bytes"> & { readonly size: number; readonly isNameless?: boolean },
): TarHeader {
  const { name, size, isExecutable, isFolder, isNameless = false } = file;
  const common = { mtime: MODIFIED_AT, uid: 0, gid: 0, uname: "", gname: "" };
  if (isFolder) return { ...common, name: `${name}/`, size: 0, type: "directory", mode: 0o700 };
  return { ...common, name, size, type: "file", mode: isNameless ? NAMELESS_MODE : isExecutable ? 0o700 : 0o600 };
}

/** Decodes UTF-8, and keeps a byte order mark; undefined for other bytes. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
