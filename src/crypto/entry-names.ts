import { replaceUnseen } from "../contract/names.ts";
import { UserError } from "../contract/user-errors.ts";

/** A name in an archive leads out of its folder, or is too long to be written. */
export class EntryNameError extends UserError {
  override readonly name = "EntryNameError";

  constructor() {
    const message =
      "The archive has a name that is too long or too deep, or does not stay inside its folder. Nothing was written.";
    super("decryption", message, { code: "unsafe_archive" });
  }
}

const MAX_NAME_BYTES = 255;
/** The longest path, in bytes of UTF-8: PATH_MAX of macOS. Linux allows 4096, which leaves room for the folder. */
const MAX_PATH_BYTES = 1024;
/** The maximum depth of folders; only a hostile archive has more. */
const MAX_DEPTH = 100;
// Device names of Windows, with any extension.
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;

/** `safe`: no hidden, deceptive or configuring name, nothing executable. `exact`: unchanged, for trusted senders. */
export type NameStyle = "safe" | "exact";

/** Splits an entry's path. Throws EntryNameError for one that is absolute, too long or too deep, or has `..`. */
export function splitEntryName(name: string, style: NameStyle = "safe"): string[] {
  if (name.length > MAX_PATH_BYTES) throw new EntryNameError();
  // In an exact name, a backslash is a separator on some systems.
  const plain = style === "exact" ? name.replaceAll("\\", "/") : name;
  const isAbsolute = plain.startsWith("/") || /^[a-z]:/i.test(plain);
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const leadsOut = parts.length === 0 || plain.split("/").includes("..");
  if (parts.length > MAX_DEPTH) throw new EntryNameError();
  if (isAbsolute || leadsOut || (style === "exact" && name.includes("\0"))) throw new EntryNameError();
  const split = style === "exact" ? parts : parts.map(cleanPart);
  if (split.some((part) => bytesOf(part) > MAX_NAME_BYTES) || bytesOf(split.join("/")) > MAX_PATH_BYTES) {
    throw new EntryNameError();
  }
  return split;
}

/** Adds a number before the extension of a file name, to make it unique. Shortens it as needed. */
export function numberName(name: string, n: number): string {
  const at = name.lastIndexOf("/") + 1;
  const [stem, extension] = splitExtension(name.slice(at));
  const ending = ` (${n})${extension}`;
  return `${name.slice(0, at)}${cut(stem, bytesOf(ending))}${ending}`;
}

/** Only a short extension without spaces tells a system which program opens a file. */
function splitExtension(part: string): readonly [stem: string, extension: string] {
  const dot = part.lastIndexOf(".");
  const isExtension = dot > 0 && /^\.[^ ]{1,16}$/.test(part.slice(dot));
  return isExtension ? [part.slice(0, dot), part.slice(dot)] : [part, ""];
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Cleans a part of a path, so that it can't deceive a reader or a file system: without control, direction, separator
 * and invisible characters, without a leading dot, which marks configuration files of git, shells and editors, and
 * without a leading hyphen, which commands such as `tar *` take for an option.
 */
function cleanPart(part: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what is taken out
  const shown = part.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\:*?"<>|]/gu, "_");
  const cleaned = closeEnd(replaceUnseen(shown, "_"));
  return closeEnd(cut(/^[.-]/.test(cleaned) || RESERVED.test(cleaned) ? `_${cleaned}` : cleaned));
}

/** Replaces dots and spaces at the end, which Windows drops, by `_`. */
function closeEnd(part: string): string {
  let end = part.length;
  while (end > 0 && (part[end - 1] === "." || part[end - 1] === " ")) end--;
  return end === part.length ? part : `${part.slice(0, end)}_`;
}

/** Cuts a part after a whole character, so that it fits into a name with `behind` more bytes. */
function cut(part: string, behind = 0): string {
  return part.slice(0, new TextEncoder().encodeInto(part, new Uint8Array(MAX_NAME_BYTES - behind)).read);
}
