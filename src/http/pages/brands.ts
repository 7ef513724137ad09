import type { Brand, BrandColors, BrandPicture } from "../options.ts";
import { serveable } from "./texts.ts";
import type { ServedText } from "./texts.ts";

/** A file of a brand, ready to be served. */
interface BrandFile {
  readonly type: string;
  readonly text: ServedText;
}

/** A brand with the paths of its files, relative to the top of the site. */
export interface PlacedBrand {
  readonly name: string;
  readonly styles: string | undefined;
  readonly logo: string | undefined;
  readonly logoDark: string | undefined;
  readonly icon: BrandIcon;
  /** A PNG for phones and previews; undefined when the brand has none. */
  readonly touchIcon: string | undefined;
  readonly contact: string | undefined;
  readonly imprint: string | undefined;
  readonly privacy: string | undefined;
  /** The brand's own files, by their paths. */
  readonly files: ReadonlyMap<string, BrandFile>;
}

interface BrandIcon {
  readonly path: string;
  readonly type: BrandPicture["type"];
}

/** The files of the product's own icon, below the folder of the page's files. */
const OWN_ICON = "favicon.svg";
const OWN_TOUCH_ICON = "touch-icon.png";

/** Gives every file of `brand` a path. `folder` has the page's files; `productName` is used where no name is set. */
export function placeBrand(brand: Brand | undefined, folder: string, productName: string): PlacedBrand {
  const { name = productName, logo, logoDark, colors, contact, imprint, privacy } = brand ?? {};
  const pictures = { ...(logo && { logo }), ...(logoDark && { "logo-dark": logoDark }) };
  const contents = new Map<string, { readonly type: string; readonly content: string | Uint8Array }>();
  for (const [stem, { type, bytes }] of Object.entries(pictures)) {
    contents.set(`${stem}.${ENDINGS[type]}`, { type, content: bytes });
  }
  if (colors) {
    contents.set("brand.css", { type: "text/css; charset=utf-8", content: sheetOf(colors) });
    contents.set("favicon.svg", { type: "image/svg+xml", content: iconOf(colors) });
  }
  const ownFolder = `brand/${hashOf([...contents].map(([file, { content }]) => [file, content]))}`;
  const placeOf = (stem: string) => {
    const file = [...contents.keys()].find((each) => each.startsWith(`${stem}.`));
    return file === undefined ? undefined : `${ownFolder}/${file}`;
  };
  const isOwn = !logo && !colors;
  return {
    name,
    styles: placeOf("brand"),
    logo: placeOf("logo"),
    logoDark: placeOf("logo-dark"),
    icon: {
      path: placeOf("logo") ?? placeOf("favicon") ?? `${folder}/${OWN_ICON}`,
      type: logo?.type ?? "image/svg+xml",
    },
    touchIcon: isOwn ? `${folder}/${OWN_TOUCH_ICON}` : logo?.type === "image/png" ? placeOf("logo") : undefined,
    contact,
    imprint,
    privacy,
    files: new Map(
      [...contents].map(([file, { type, content }]) => [`${ownFolder}/${file}`, { type, text: serveable(content) }]),
    ),
  };
}

const ENDINGS = { "image/svg+xml": "svg", "image/png": "png" } as const satisfies Record<BrandPicture["type"], string>;

function hashOf(files: readonly (readonly [name: string, content: string | Uint8Array])[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const [name, content] of files) hasher.update(`${name}\0${Buffer.from(content).length}\0`).update(content);
  return hasher.digest("hex").slice(0, 16);
}

/** The style sheet after the page's own: it replaces the colors of links and buttons. */
function sheetOf({ light, dark }: BrandColors): string {
  const rule = (tokens: BrandColors["light"]) =>
    `:root {\n${Object.entries(tokens)
      .map(([token, color]) => `  --${token}: ${color};\n`)
      .join("")}}\n`;
  return `${rule(light)}\n@media (prefers-color-scheme: dark) {\n${rule(dark)}}\n`;
}

/** The product's mark in the colors of a brand. */
function iconOf({ light, dark }: BrandColors): string {
  const styles = (tokens: BrandColors["light"]) =>
    `.tile{fill:${tokens.accent}}.mark{fill:${tokens["on-accent"]}}.line{fill:none;stroke:${tokens["on-accent"]}}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">` +
    `<style>${styles(light)}@media (prefers-color-scheme:dark){${styles(dark)}}</style>` +
    `<rect class="tile" width="32" height="32" rx="8"/>` +
    `<path class="line" stroke-width="3.5" stroke-linecap="round" d="M9 6.5v19M9 19a7 7 0 0 1 14 0v6.5"/>` +
    `<circle class="mark" cx="16" cy="22.75" r="2.75"/></svg>`
  );
}
