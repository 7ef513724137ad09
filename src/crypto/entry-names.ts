import { replaceUnseen } from "../contract/unseen-characters.ts";
import { UserError } from "../contract/user-errors.ts";

/** A name in an archive could lead out of the folder that it is unpacked to, or is longer than any that can be written. */
export class EntryNameError extends UserError {
  override readonly name = "EntryNameError";

  constructor() {
    const message =
      "The archive has a name that is too long or too deep, or does not stay inside its folder. Nothing was written.";
    super("decryption", message, { code: "unsafe_archive" });
  }
}

const MAX_NAME_BYTES = 255;
/**
 * The longest path, in bytes of UTF-8: PATH_MAX of macOS; Linux takes 4096, which leave room for where it is written
 * to.
 */
const MAX_PATH_BYTES = 1024;
/** Folders in one another; more are only there to be many. */
const MAX_DEPTH = 100;
// Names that are devices on Windows, with any extension.
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;

/**
 * The way in which names and modes of an archive are taken. `safe`: no name can hide, deceive a reader or be one that
 * programs obey, and nothing can be executed. `exact`: as they are, for who trusts the sender.
 */
export type NameStyle = "safe" | "exact";

/**
 * The parts of the path that an archive names, to be written below a folder. Throws EntryNameError for what is absolute,
 * has `..`, is too long or too deep, in either style, so that an archive that tries is noticed and not bent into shape.
 */
export function splitEntryName(name: string, style: NameStyle = "safe"): string[] {
  if (name.length > MAX_PATH_BYTES) throw new EntryNameError();
  // What is not cleaned could be a separator where it is written.
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

/** The name of a file with a number before its extension, cut so that it can be written: of several that have the same. */
export function numberName(name: string, n: number): string {
  const at = name.lastIndexOf("/") + 1;
  const [stem, extension] = splitExtension(name.slice(at));
  const ending = ` (${n})${extension}`;
  return `${name.slice(0, at)}${cut(stem, bytesOf(ending))}${ending}`;
}

/** The part of a name by which a system knows what opens a file is short, and without spaces. */
function splitExtension(part: string): readonly [stem: string, extension: string] {
  const dot = part.lastIndexOf(".");
  const isExtension = dot > 0 && /^\.[^ ]{1,16}$/.test(part.slice(dot));
  return isExtension ? [part.slice(0, dot), part.slice(dot)] : [part, ""];
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * The part of a name that cannot deceive a reader or a file system: no control, direction or separator characters, none
 * that nobody sees, and no dot at the beginning, by which git, shells and editors know the files that they obey.
 */
function cleanPart(part: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what is taken out
  const shown = part.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\:*?"<>|]/gu, "_");
  const cleaned = closeEnd(replaceUnseen(shown, "_"));
  return closeEnd(cut(cleaned.startsWith(".") || RESERVED.test(cleaned) ? `_${cleaned}` : cleaned));
}

/** Puts `_` for the dots and spaces at an end, which Windows leaves out. */
function closeEnd(part: string): string {
  let end = part.length;
  while (end > 0 && (part[end - 1] === "." || part[end - 1] === " ")) end--;
  return end === part.length ? part : `${part.slice(0, end)}_`;
}

/** As many whole characters as fit into a name, with so many bytes behind them. */
function cut(part: string, behind = 0): string {
  return part.slice(0, new TextEncoder().encodeInto(part, new Uint8Array(MAX_NAME_BYTES - behind)).read);
}
