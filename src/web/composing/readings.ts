import { ClientError } from "../../client/errors.ts";
import { isBlank } from "../../crypto/contents.ts";
import type { Content } from "../../crypto/contents.ts";
import type { ChosenFile } from "../contents/dropped-files.ts";
import { describeUnreadable } from "./drafts.ts";
import type { ContentDraft } from "./drafts.ts";

/** Reads the text and files of a draft. Throws ClientError for a file that cannot be read. */
export async function readContent({ text, files }: ContentDraft): Promise<Content> {
  if (files.length === 0) return { kind: "text", text };
  const read = files.map(async (file) => ({
    name: file.name,
    bytes: await readFile(file),
    isExecutable: false,
    isFolder: false,
  }));
  const all = await Promise.all(read);
  return isBlank(text) ? { kind: "files", files: all } : { kind: "both", text, files: all };
}

async function readFile(file: ChosenFile): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    throw new ClientError("file_unreadable", "failure", describeUnreadable(file.name), { cause });
  }
}
