import { contentBytesOf } from "../../client/limits.ts";
import type { CredentialLimits } from "../../contract/credentials.ts";
import { isBlank } from "../../crypto/contents.ts";
import type { ChosenFile, FileRefusal } from "../contents/dropped-files.ts";
import { formatLimit, formatSize } from "../parts/formats.ts";
import { printable } from "../parts/printable.ts";
import { SUBMITTING } from "../texts/submitting.ts";

const { content: words } = SUBMITTING;
const LARGE_BYTES = 1_000_000;

/** The text and files to send as one secret. */
export interface ContentDraft {
  readonly text: string;
  readonly files: readonly ChosenFile[];
}

export const NO_CONTENT: ContentDraft = { text: "", files: [] };

/** True when nothing was typed or chosen. */
export function isEmpty({ text, files }: ContentDraft): boolean {
  return text === "" && files.length === 0;
}

/** The length of a text in bytes. */
export function textBytesOf(text: string): number {
  return text === "" ? 0 : new Blob([text]).size;
}

/** A cache: a screen asks for the size of a draft several times per render. */
const measured = new WeakMap<ContentDraft, number>();

/** The total bytes of `draft` before encryption. */
export function bytesOf(draft: ContentDraft): number {
  const known = measured.get(draft);
  if (known !== undefined) return known;
  const bytes = draft.files.reduce((sum, { size }) => sum + size, textBytesOf(draft.text));
  measured.set(draft, bytes);
  return bytes;
}

/** True when the draft takes a while to encrypt and send. */
export function isLarge(draft: ContentDraft): boolean {
  return bytesOf(draft) >= LARGE_BYTES;
}

/** The bytes of content that certainly fit into `maxBytes` of ciphertext. */
export function roomFor(maxBytes: number): number {
  return contentBytesOf(maxBytes).least;
}

/**
 * The most ciphertext that a person can send, as base64, also if it has to be uploaded in pieces. What is larger than
 * the quota of the team never fits.
 */
export function mostCiphertextOf(
  limits: Pick<CredentialLimits, "max_ciphertext_bytes" | "max_secret_bytes" | "team_quota_bytes">,
): number {
  const { max_ciphertext_bytes: small, max_secret_bytes: large, team_quota_bytes: quota } = limits;
  return Math.max(small, Math.floor((Math.min(large ?? 0, quota) * 4) / 3));
}

/** True when `draft` cannot fit into `maxBytes` of ciphertext, judged before its files are read. */
export function isSurelyTooLarge(draft: ContentDraft, maxBytes: number): boolean {
  return bytesOf(draft) > contentBytesOf(maxBytes).most;
}

/**
 * Returns the complaint about `draft` that needs no reading; undefined when there is none, or the limit is not known
 * yet.
 */
export function complaintAbout(draft: ContentDraft, maxBytes: number | undefined): string | undefined {
  return maxBytes !== undefined && isSurelyTooLarge(draft, maxBytes) ? describeTooLarge(draft, maxBytes) : undefined;
}

/** Returns the complaint about a draft that is empty or blank; undefined for any other. */
export function complaintAboutNothing({ text, files }: ContentDraft): string | undefined {
  return files.length === 0 && isBlank(text) ? words.empty : undefined;
}

/** The complaint about a draft that exceeds `maxBytes` of ciphertext. */
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

/** What is said of a file that can't be read. */
export const describeUnreadable = (name: string) => words.unreadable(printable(name));

function describeRefusal(refusal: FileRefusal): string {
  switch (refusal.kind) {
    case "same_name":
      return words.sameName(printable(refusal.name));
    case "bad_name":
      return words.badName(printable(refusal.name));
    case "unreadable":
      return describeUnreadable(refusal.name);
    case "too_many":
      return words.tooMany;
  }
}
