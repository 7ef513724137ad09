import type { ContentFile } from "../../crypto/contents.ts";
import { numberName, splitEntryName } from "../../crypto/entry-names.ts";

/** Not executable, and readable only by its owner. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Creates an uncompressed ZIP, which every system opens. Names are made safe and unique, ignoring case. The ZIP library
 * is loaded on first use: rejects when that fails. Throws EntryNameError for a name that leads out of its folder.
 */
export async function zipFiles(files: readonly ContentFile[]): Promise<Blob> {
  const { downloadZip } = await import("client-zip");
  const lastModified = new Date();
  const entries = withSafeNames(files).map(({ name, bytes, isFolder }) =>
    isFolder
      ? { name: `${name}/`, lastModified, mode: FOLDER_MODE }
      : { name, input: bytes, size: bytes.length, lastModified, mode: FILE_MODE },
  );
  return new Blob([await downloadZip(entries).arrayBuffer()], { type: "application/zip" });
}

/** A file whose bytes are read when its turn comes, or a folder. */
interface ZippedFile extends Pick<ContentFile, "name" | "isFolder"> {
  readonly size: number;
  readonly open: () => Promise<Blob>;
}

/** The same while it is read, of files that may not fit into memory. The stream throws what opening a file throws. */
export async function zipStream(files: readonly ZippedFile[]): Promise<ReadableStream<Uint8Array>> {
  const { makeZip } = await import("client-zip");
  const lastModified = new Date();
  const entries = async function* () {
    for (const { name, isFolder, size, open } of withSafeNames(files)) {
      yield isFolder
        ? { name: `${name}/`, lastModified, mode: FOLDER_MODE }
        : { name, input: await open(), size, lastModified, mode: FILE_MODE };
    }
  };
  return makeZip(entries());
}

/** Returns the files under unique names that are safe on every system. */
function withSafeNames<F extends Pick<ContentFile, "name" | "isFolder">>(files: readonly F[]): readonly F[] {
  const safe = files.map((file) => ({ ...file, name: splitEntryName(file.name).join("/") }));
  // A file cannot have the path of a folder that another one needs.
  const taken = new Set(safe.flatMap(foldersOf).map(keyOf));
  const folders = new Set<string>();
  return safe.flatMap((file) => {
    if (file.isFolder) return folders.has(keyOf(file.name)) ? [] : (folders.add(keyOf(file.name)), [file]);
    let name = file.name;
    for (let n = 2; taken.has(keyOf(name)); n++) name = numberName(file.name, n);
    taken.add(keyOf(name));
    return [{ ...file, name }];
  });
}

function foldersOf({ name, isFolder }: Pick<ContentFile, "name" | "isFolder">): string[] {
  const parts = name.split("/");
  return parts.slice(isFolder ? 0 : 1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Maps names that some systems consider equal to the same key. */
function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
