import type { ContentSummary } from "../browser/labels.ts";
import type { ContentDraft } from "./drafts.ts";

/** One word of this length, and no address: most likely a password or token. */
const PASSWORD = /^(?!.*:\/\/)\S{8,128}$/u;

/** Returns the kind of a draft and its size, without any of its text. */
export function summarizeContent({ text, files }: ContentDraft): ContentSummary {
  const [first] = files;
  if (first) return { kind: "files", count: files.length, firstName: first.name };
  const trimmed = text.trim();
  if (PASSWORD.test(trimmed)) return { kind: "password", characters: Array.from(trimmed).length };
  return { kind: "text", lines: trimmed.split(/\r\n|\n|\r/).length };
}
