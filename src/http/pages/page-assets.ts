import type { CompressedFile, PageSources } from "../options.ts";
import { bytesOf } from "./texts.ts";

/** A file of the page, below a path that changes with the names and contents of all files. */
export interface PageAsset {
  readonly path: string;
  readonly type: string;
  readonly content: CompressedFile;
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  woff2: "font/woff2",
};

/** The files of the page, in a folder whose name changes with their contents. */
export function pageAssets({ files }: Pick<PageSources, "files">): {
  readonly folder: string;
  readonly assets: readonly PageAsset[];
} {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const [name, content] of Object.entries(files)) {
    const bytes = bytesOf(content);
    hasher.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  const folder = `assets/${hasher.digest("hex").slice(0, 16)}`;
  const assets = Object.entries(files).map(([name, content]) => ({
    path: `${folder}/${name}`,
    type: typeOf(name),
    content,
  }));
  return { folder, assets };
}

/** The media type of the file `name`. Throws when there is none, so that no browser has to guess. */
function typeOf(name: string): string {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (type === undefined) throw new Error(`a file of the page has no media type: ${name}`);
  return type;
}
