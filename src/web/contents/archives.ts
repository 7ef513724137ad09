import type { ContentFile } from "../../crypto/contents.ts";
import { numberName, splitEntryName } from "../../crypto/entry-names.ts";

/** Nothing that is unpacked can be executed, and only its owner reads it. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * A ZIP of files, not compressed, which every system opens. Their names are made safe, and each is there once, also where
 * capitals and small letters are the same. What makes it is only loaded now: rejects when it cannot be had. Throws
 * EntryNameError for a name that leads out of its folder.
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

/** The files under names that can be written anywhere, and of which no two are the same. */
function withSafeNames(files: readonly ContentFile[]): readonly ContentFile[] {
  const safe = files.map((file) => ({ ...file, name: splitEntryName(file.name).join("/") }));
  // A file cannot be where another one needs a folder.
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

function foldersOf({ name, isFolder }: ContentFile): string[] {
  const parts = name.split("/");
  return parts.slice(isFolder ? 0 : 1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** The same for names that some systems take for one. */
function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
