import { packTar, unpackTar } from "modern-tar";
import type { TarEntry } from "modern-tar";
import { UserError } from "../contract/user-errors.ts";
import { splitEntryName } from "./entry-names.ts";
import type { NameStyle } from "./entry-names.ts";
import { beginsLikeTar } from "./tar-headers.ts";
import { hasUnknownKinds } from "./tar-kinds.ts";

/** The most entries of an archive, each folder that a name needs included: what others can make somebody write. */
export const MAX_ENTRIES = 10_000;

/** The content of a secret: one piece of text, bytes without a name, files, or one piece of text and files. */
export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly bytes: Uint8Array }
  | { readonly kind: "files"; readonly files: readonly ContentFile[] }
  | { readonly kind: "both"; readonly text: string; readonly files: readonly ContentFile[] };

/** An archive that was cut off, or has something behind its end: what is in it cannot be told, and it is kept as it came. */
interface DamagedArchive {
  readonly kind: "damaged";
  readonly bytes: Uint8Array;
}

/** The content of a secret that was decrypted. */
export type DecodedContent = Content | DamagedArchive;

export interface ContentFile {
  /** The path below the folder that it is written to, with `/` between its parts. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
  /** A folder has no bytes; it is there because it may be empty. */
  readonly isFolder: boolean;
}

/** An archive cannot be unpacked; the message is for people. */
export class ContentError extends UserError {
  override readonly name = "ContentError";

  constructor(message: string) {
    super("decryption", message, { code: "unsafe_archive" });
  }
}

// The name that content without one gets in an archive, so that `age -d … | tar x` gives it a sensible one.
// And the mode by which it is told from a file that has that very name: files of ours can be written by their owner.
const NAMELESS_MODE = 0o400;
const NAMELESS = { text: "secret.txt", binary: "secret.bin" } as const;
/** The name of an archive that is kept as it came. */
const ARCHIVE_NAME = "secret.tar";
/** Text beside a file that is called `secret.txt` has a number in its name. */
const NAMELESS_NAME = /^secret(\.bin|(-[1-9][0-9]{0,4})?\.txt)$/;

/**
 * The bytes to encrypt, contract section 10: text as its bare UTF-8, so that any age tool reads it; everything else,
 * and text that would be taken for an archive, as a POSIX tar archive.
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
 * The same content as files, of which each has a name: what has none is `secret.txt` or `secret.bin`, and a damaged
 * archive is `secret.tar`. Text beside files comes first, and is called `secret-2.txt`, and so on, where one of them has
 * that name already.
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

/** A name for text that no file has and no folder: not even where capitals and small letters are the same. */
function findTextName(files: readonly ContentFile[]): string {
  const topOf = (name: string) => name.split("/").find((part) => part !== "" && part !== ".");
  const taken = new Set(files.map(({ name }) => topOf(name)?.toLowerCase()));
  let name: string = NAMELESS.text;
  for (let n = 2; taken.has(name); n++) name = `secret-${n}.txt`;
  return name;
}

function toFile(name: string, bytes: Uint8Array): ContentFile {
  return { name, bytes, isExecutable: false, isFolder: false };
}

/** True when a text is one that nobody means to hand over: a shell makes nothing of it. */
export function isBlank(text: string): boolean {
  return !/[^\r\n]/.test(text);
}

/** The content of bytes that came from nowhere in particular, such as standard input. */
export function toContent(bytes: Uint8Array): Content {
  const text = decodeText(bytes);
  return text === undefined ? { kind: "binary", bytes } : { kind: "text", text };
}

/**
 * Reads what was decrypted. Unless `style` is `exact`, names of files are made safe to show and to write, and none is
 * executable. Throws ContentError for an archive that has links or devices, and EntryNameError for one whose names lead
 * out of its folder.
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

/** The text in an entry that may be text beside `files`; undefined when it is not. */
function findText(entry: ContentFile | undefined, files: readonly ContentFile[]): string | undefined {
  return entry && entry.name === findTextName(files) ? decodeText(entry.bytes) : undefined;
}

/** A file of an archive, and whether it may be content that has no name. */
interface UnpackedFile extends ContentFile {
  readonly isNameless: boolean;
}

function toPlainFile({ isNameless: _isNameless, ...file }: UnpackedFile): ContentFile {
  return file;
}

/** The files of an archive; undefined when it is damaged. */
async function unpack(bytes: Uint8Array, style: NameStyle): Promise<UnpackedFile[] | undefined> {
  if (hasUnknownKinds(bytes)) throw sparse();
  const entries = await unpackTar(bytes, { strict: true }).catch(() => undefined);
  if (!entries) return undefined;
  // One more for text beside as many files as may be.
  if (entries.length > MAX_ENTRIES + 1) throw tooManyEntries();
  return entries.map(({ header, data = new Uint8Array() }) => {
    const type = header.type ?? "file";
    if (type !== "file" && type !== "directory") {
      throw new ContentError("The archive in this secret has links or devices. Nothing was written.");
    }
    if (Object.keys(header.pax ?? {}).some((key) => key.startsWith("GNU.sparse."))) throw sparse();
    const name = splitEntryName(header.name, style).join("/");
    const mode = header.mode ?? 0;
    const isNameless = mode === NAMELESS_MODE && type === "file" && NAMELESS_NAME.test(name);
    const isExecutable = style === "exact" && (mode & 0o100) !== 0;
    return { name, bytes: data, isExecutable, isFolder: type === "directory", isNameless };
  });
}

function sparse(): ContentError {
  return new ContentError(
    "The archive in this secret has sparse files, or others that handoff can't unpack. Nothing was written.",
  );
}

function tooManyEntries(): ContentError {
  return new ContentError(
    "The archive in this secret has more than 10,000 files and directories. Nothing was written.",
  );
}

/** True when files of these names, with the folders that they need, are more than anybody writes. */
export function hasTooManyEntries(names: readonly string[]): boolean {
  const paths = new Set<string>();
  let count = 0;
  for (const name of names) {
    // A second file of the same name is written too.
    if (paths.has(name)) count++;
    for (let path = name; path !== "" && !paths.has(path); path = path.slice(0, Math.max(0, path.lastIndexOf("/")))) {
      paths.add(path);
    }
    if (paths.size + count > MAX_ENTRIES) return true;
  }
  return false;
}

/** The entry of an archive for content that has no name. */
function toNamelessEntry(file: ContentFile): TarEntry {
  const { header } = toEntry(file);
  return { header: { ...header, mode: NAMELESS_MODE }, body: file.bytes };
}

// The same for every archive, so that it says nothing of who made it when; tar complains about 1970.
const MODIFIED_AT = new Date("2000-01-01T00:00:00Z");

/** A header that says nothing of who made it. */
function toEntry({ name, bytes, isExecutable, isFolder }: ContentFile): TarEntry {
  const common = { mtime: MODIFIED_AT, uid: 0, gid: 0, uname: "", gname: "" };
  if (isFolder) return { header: { ...common, name: `${name}/`, size: 0, type: "directory", mode: 0o700 } };
  const mode = isExecutable ? 0o700 : 0o600;
  return { header: { ...common, name, size: bytes.length, type: "file", mode }, body: bytes };
}

/** The text that the bytes are in UTF-8, a byte order mark included; undefined when they are not. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
