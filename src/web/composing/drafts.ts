import { contentBytesOf } from "../../client/limits.ts";
import { isBlank } from "../../crypto/contents.ts";
import type { ChosenFile, FileRefusal } from "../contents/dropped-files.ts";
import { formatLimit, formatSize } from "../parts/formats.ts";
import { printable } from "../parts/printable.ts";
import { STRINGS } from "../strings.ts";

const { content: words } = STRINGS;
const LARGE_BYTES = 1_000_000;

/** The text and the files that are to be sent as one. */
export interface ContentDraft {
  readonly text: string;
  readonly files: readonly ChosenFile[];
}

export const NO_CONTENT: ContentDraft = { text: "", files: [] };

/** True when nothing was typed or chosen. */
export function isEmpty({ text, files }: ContentDraft): boolean {
  return text === "" && files.length === 0;
}

/** The bytes of a text. */
export function textBytesOf(text: string): number {
  return text === "" ? 0 : new Blob([text]).size;
}

/** The bytes of drafts that were measured already: a screen asks for them several times whenever it is drawn. */
const measured = new WeakMap<ContentDraft, number>();

/** The bytes of everything in `draft`, before it is encrypted. */
export function bytesOf(draft: ContentDraft): number {
  const known = measured.get(draft);
  if (known !== undefined) return known;
  const bytes = draft.files.reduce((sum, { size }) => sum + size, textBytesOf(draft.text));
  measured.set(draft, bytes);
  return bytes;
}

/** True for what takes a while to encrypt and to send. */
export function isLarge(draft: ContentDraft): boolean {
  return bytesOf(draft) >= LARGE_BYTES;
}

/** The bytes of content that a server which takes `maxBytes` of ciphertext takes for sure. */
export function roomFor(maxBytes: number): number {
  return contentBytesOf(maxBytes).least;
}

/** True when `draft` cannot fit into `maxBytes` of ciphertext, known before it is read. */
function isSurelyTooLarge(draft: ContentDraft, maxBytes: number): boolean {
  return bytesOf(draft) > contentBytesOf(maxBytes).most;
}

/** The complaint about `draft` that can be said at once; undefined when there is none, or the limit is not known yet. */
export function complaintAbout(draft: ContentDraft, maxBytes: number | undefined): string | undefined {
  return maxBytes !== undefined && isSurelyTooLarge(draft, maxBytes) ? describeTooLarge(draft, maxBytes) : undefined;
}

/** The complaint about a draft with nothing in it that anybody means to hand over; undefined for every other one. */
export function complaintAboutNothing({ text, files }: ContentDraft): string | undefined {
  return files.length === 0 && isBlank(text) ? words.empty : undefined;
}

/** The complaint about a draft that a server which takes `maxBytes` of ciphertext does not take. */
export function describeTooLarge(draft: ContentDraft, maxBytes: number): string {
  const limit = formatLimit(roomFor(maxBytes));
  const [only] = draft.files;
  if (only && draft.files.length === 1 && draft.text === "") {
    return words.fileTooLarge(printable(only.name), formatSize(only.size), limit);
  }
  return words.tooLarge(formatSize(bytesOf(draft)), limit);
}

/** The complaint about files that were not added; empty when there are none. */
export function describeRefusals(refusals: readonly FileRefusal[]): string {
  const [first] = refusals;
  if (!first) return "";
  const said = describeRefusal(first);
  return refusals.length > 1 ? `${said} ${words.moreRefused(refusals.length - 1)}` : said;
}

function describeRefusal(refusal: FileRefusal): string {
  switch (refusal.kind) {
    case "same_name":
      return words.sameName(printable(refusal.name));
    case "bad_name":
      return words.badName(printable(refusal.name));
    case "unreadable":
      return words.unreadable(printable(refusal.name));
    case "too_many":
      return words.tooMany;
  }
}
