import { FOREIGN_PIPE, FOREIGN_PIPE_REASON, readBeginning } from "../../../config/readable-files.ts";
import type { Settings } from "../../../config/settings.ts";
import { codeOf } from "../../../contract/error-traces.ts";
import type { Brand, BrandColors, BrandPicture } from "../../../http/options.ts";
import { usageError } from "../../terminal/terminal.ts";
import { deriveColors, TEXT_CONTRAST } from "./colors.ts";

const MAX_LOGO_BYTES = 20 * 1024;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The start of an SVG: declarations and comments, then its first element. */
const SVG_START =
  /^\uFEFF?(?:\s|<\?[^>]*>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)*<(?:[\w.-]+:)?svg[\s/>]/;
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied. The user that runs the server has to be able to read it",
  EISDIR: "it is a folder",
  [FOREIGN_PIPE]: FOREIGN_PIPE_REASON,
};

type BrandSettings = Pick<
  Settings,
  "brandName" | "brandLogo" | "brandLogoDark" | "brandColor" | "contact" | "imprintUrl" | "privacyUrl"
>;

/** Reads the brand in the settings. Throws CommandError for an unusable file or a color with too little contrast. */
export function readBrand(settings: BrandSettings): Brand {
  const { brandName, brandLogo, brandLogoDark, brandColor, contact, imprintUrl, privacyUrl } = settings;
  return {
    name: brandName?.trim(),
    logo: brandLogo === undefined ? undefined : readLogo("--brand-logo", brandLogo),
    logoDark: brandLogoDark === undefined ? undefined : readLogo("--brand-logo-dark", brandLogoDark),
    colors: brandColor === undefined ? undefined : readColors(brandColor),
    // Most contacts are just a mail address.
    contact: contact === undefined || /^[a-z]+:/i.test(contact) ? contact : `mailto:${contact}`,
    imprint: imprintUrl,
    privacy: privacyUrl,
  };
}

function readColors(color: string): BrandColors {
  const colors = deriveColors(color);
  if ("light" in colors) return colors;
  const { ratio, ground, nearest } = colors;
  // Rounded down, because 4.49 must not be shown as 4.5, which would be enough.
  const shown = Math.floor(ratio * 10) / 10;
  throw usageError(
    `--brand-color: '${color}' is too light. Its contrast with the light theme's ${ground} is ${shown}, and text needs ${TEXT_CONTRAST}. The same hue has enough at '${nearest}'. The dark theme's color is made from it`,
  );
}

function readLogo(flag: string, path: string): BrandPicture {
  const bytes = readBytes(flag, path);
  if (bytes.length > MAX_LOGO_BYTES) {
    throw usageError(`${flag}: the file '${path}' is too large: at most 20 KiB are taken`);
  }
  const type = typeOf(bytes);
  if (type === undefined) throw usageError(`${flag}: the file '${path}' is neither an SVG nor a PNG`);
  if (type === "image/svg+xml" && !bytes.includes(SVG_NAMESPACE)) {
    throw usageError(`${flag}: the file '${path}' does not say that it is an SVG: xmlns="${SVG_NAMESPACE}" is missing`);
  }
  return { type, bytes };
}

/** The kind of picture in `bytes`. The browser is told to run and load nothing from an SVG. */
function typeOf(bytes: Buffer): BrandPicture["type"] | undefined {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return "image/png";
  return SVG_START.test(bytes.toString()) ? "image/svg+xml" : undefined;
}

function readBytes(flag: string, path: string): Buffer {
  try {
    return readBeginning(path, MAX_LOGO_BYTES + 1);
  } catch (error) {
    const code = codeOf(error);
    const why = UNREADABLE[code ?? ""] ?? code ?? "the reason is not known";
    throw usageError(`${flag}: the file '${path}' cannot be read: ${why}`);
  }
}
