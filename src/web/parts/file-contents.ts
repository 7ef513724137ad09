import { ClientError } from "../../client/errors.ts";
import { isBlank } from "../../crypto/contents.ts";
import type { Content } from "../../crypto/contents.ts";
import { EntryNameError, splitEntryName } from "../../crypto/entry-names.ts";
import { STRINGS } from "../strings.ts";
import type { ContentDraft } from "./content-fields.tsx";

/**
 * Reads what was typed or chosen. Throws ClientError for a file that cannot be read, or whose name could not be written
 * where it arrives.
 */
export async function readContent({ text, files }: ContentDraft): Promise<Content> {
  if (files.length === 0) return { kind: "text", text };
  for (const { name } of files) checkName(name);
  const read = files.map(async (file) => ({
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
    isExecutable: false,
    isFolder: false,
  }));
  try {
    const all = await Promise.all(read);
    return isBlank(text) ? { kind: "files", files: all } : { kind: "both", text, files: all };
  } catch (error) {
    throw new ClientError("file_unreadable", "failure", STRINGS.failed.unreadable, { cause: error });
  }
}

function checkName(name: string): void {
  try {
    splitEntryName(name);
  } catch (error) {
    if (!(error instanceof EntryNameError)) throw error;
    throw new ClientError("bad_file_name", "usage", STRINGS.content.badName(name));
  }
}
