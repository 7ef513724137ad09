/** A name in an archive could lead out of the folder that it is unpacked to. */
export class EntryNameError extends Error {
  override readonly name = "EntryNameError";

  constructor() {
    super("The archive has a name that does not stay inside its folder. Nothing was written.");
  }
}

const MAX_NAME_BYTES = 255;
// Names that are devices on Windows, with any extension.
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;

/**
 * The parts of the path that an archive names, safe to be written below any folder on any system. Throws EntryNameError
 * for what is absolute or has `..`, so that an archive that tries is noticed and not bent into shape.
 */
export function splitEntryName(name: string): string[] {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const isAbsolute = name.startsWith("/") || /^[a-z]:/i.test(name);
  if (isAbsolute || parts.length === 0 || parts.includes("..")) throw new EntryNameError();
  return parts.map(cleanPart);
}

/** What of a name cannot deceive a reader or a file system: no control, direction or separator characters. */
function cleanPart(part: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what is taken out
  const cleaned = part.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\:*?"<>|]/gu, "_").replace(/[. ]+$/, "_");
  return cut(RESERVED.test(cleaned) ? `_${cleaned}` : cleaned);
}

function cut(part: string): string {
  const characters = Array.from(part);
  while (new TextEncoder().encode(characters.join("")).length > MAX_NAME_BYTES) characters.pop();
  return characters.join("");
}
