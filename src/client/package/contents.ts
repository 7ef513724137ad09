import { hasTooManyEntries, toFiles } from "../../crypto/contents.ts";
import type { Content, DecodedContent } from "../../crypto/contents.ts";
import { EntryNameError, splitEntryName } from "../../crypto/entry-names.ts";
import { ClientError } from "../errors.ts";

/** A file to send. */
export interface NewFile {
  /** The path that it gets, separated by `/`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isExecutable?: boolean | undefined;
  /** True for a folder, which has no bytes. Folders of files need no entry of their own. */
  readonly isFolder?: boolean | undefined;
}

/** The content of a new secret: text, bytes without a name, or files with or without a text. */
export type NewContent =
  string | Uint8Array | { readonly text?: string | undefined; readonly files: readonly NewFile[] };

/** A file of a secret that was opened. */
export interface SecretFile {
  /** The path, separated by `/`, which never leads out of the folder that it is written to. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
  readonly isFolder: boolean;
}

/** The content of a secret that was opened. */
export interface OpenedContent {
  /** The text; undefined when there are only files. */
  readonly text: string | undefined;
  /** The files. Bytes without a name are `secret.bin`, and an archive that can't be unpacked is `secret.tar`. */
  readonly files: readonly SecretFile[];
}

/** The content that is encrypted. Throws ClientError for files that no client would write. @internal */
export function toNewContent(content: NewContent): Content {
  if (typeof content === "string") return { kind: "text", text: content };
  if (content instanceof Uint8Array) return { kind: "binary", bytes: content };
  if (!isMixed(content)) {
    const message = "The content must be a string, a Uint8Array, or an object with a list of files.";
    throw new ClientError("schema_mismatch", "usage", message);
  }
  const { text, files: given } = content;
  const files = given.map(({ name, bytes, isExecutable = false, isFolder = false }) => {
    checkName(name);
    return { name, bytes, isExecutable, isFolder };
  });
  if (hasTooManyEntries(files.map(({ name }) => name))) {
    throw new ClientError("bad_file_name", "usage", "There are more than 10,000 files and folders. Nothing was sent.");
  }
  if (text !== undefined) return files.length === 0 ? { kind: "text", text } : { kind: "both", text, files };
  if (files.length === 0) throw new ClientError("schema_mismatch", "usage", "There is no text and no file.");
  return { kind: "files", files };
}

/** False for what only a program without types gives. */
function isMixed(content: unknown): content is Exclude<NewContent, string | Uint8Array> {
  const { text, files } = membersOf(content);
  return (text === undefined || typeof text === "string") && Array.isArray(files) && files.every(isFile);
}

function isFile(file: unknown): boolean {
  const { name, bytes, isFolder } = membersOf(file);
  return typeof name === "string" && (bytes instanceof Uint8Array || isFolder === true);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return { ...(value as object | null | undefined) };
}

function checkName(name: string): void {
  try {
    splitEntryName(name, "exact");
  } catch (error) {
    if (!(error instanceof EntryNameError)) throw error;
    const message =
      "The name of a file is empty, too long or too deep, or does not stay inside its folder. Nothing was sent.";
    throw new ClientError("bad_file_name", "usage", message);
  }
}

/** Converts decrypted content. @internal */
export function toOpenedContent(content: DecodedContent): OpenedContent {
  switch (content.kind) {
    case "text":
      return { text: content.text, files: [] };
    case "both":
      return { text: content.text, files: content.files };
    case "binary":
    case "files":
    case "damaged":
      return { text: undefined, files: toFiles(content) };
  }
}
