import { readFileSync } from "node:fs";
import type { Settings } from "../../../config/settings.ts";
import { codeOf } from "../../../contract/system-codes.ts";
import type { Brand, BrandColours, BrandPicture } from "../../../http/options.ts";
import { usageError } from "../../terminal/terminal.ts";
import { deriveColours, TEXT_CONTRAST } from "./colours.ts";
import { findPngFault, looksLikePng } from "./png.ts";
import { findSvgFault } from "./svg.ts";

const MAX_LOGO_BYTES = 20 * 1024;
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "permission denied. The user that runs the server has to be able to read it",
  EISDIR: "it is a folder",
};

type BrandSettings = Pick<
  Settings,
  "brandName" | "brandLogo" | "brandLogoDark" | "brandColour" | "contact" | "imprintUrl" | "privacyUrl"
>;

/** The brand that the settings describe. Throws CommandError when it could not be shown, or not be read by everybody. */
export function readBrand(settings: BrandSettings): Brand {
  const { brandName, brandLogo, brandLogoDark, brandColour, contact, imprintUrl, privacyUrl } = settings;
  return {
    name: brandName?.trim(),
    logo: brandLogo === undefined ? undefined : readLogo("--brand-logo", brandLogo),
    logoDark: brandLogoDark === undefined ? undefined : readLogo("--brand-logo-dark", brandLogoDark),
    colours: brandColour === undefined ? undefined : readColours(brandColour),
    // What is an address of mail and nothing else is the most usual contact.
    contact: contact === undefined || /^[a-z]+:/i.test(contact) ? contact : `mailto:${contact}`,
    imprint: imprintUrl,
    privacy: privacyUrl,
  };
}

function readColours(colour: string): BrandColours {
  const colours = deriveColours(colour);
  if ("light" in colours) return colours;
  const { ratio, ground, nearest } = colours;
  // Not rounded up to what would be enough.
  const shown = Math.floor(ratio * 10) / 10;
  throw usageError(
    `--brand-colour: '${colour}' is too light. Its contrast with the light theme's ${ground} is ${shown}, and text needs ${TEXT_CONTRAST}. The same hue has enough at '${nearest}'. The dark theme's colour is made from it`,
  );
}

function readLogo(flag: string, path: string): BrandPicture {
  const bytes = readBytes(flag, path);
  if (bytes.length > MAX_LOGO_BYTES) {
    throw usageError(`${flag}: the file '${path}' has ${bytes.length} bytes, and at most 20 KiB are taken`);
  }
  const isPng = looksLikePng(bytes);
  const fault = isPng ? findPngFault(bytes) : findSvgFault(bytes);
  if (fault !== undefined) throw usageError(`${flag}: the file '${path}' ${fault}`);
  return { type: isPng ? "image/png" : "image/svg+xml", bytes };
}

function readBytes(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = codeOf(error);
    const why = UNREADABLE[code ?? ""] ?? code ?? "the reason is not known";
    throw usageError(`${flag}: the file '${path}' cannot be read: ${why}`);
  }
}
