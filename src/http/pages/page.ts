import { Elysia } from "elysia";
import type { Context } from "elysia";
import { Refusal } from "../../domain/errors.ts";
import type { CompressedFile, PageSources } from "../options.ts";
import { answerText, bytesOf, serveable, serveableBuilt } from "./texts.ts";
import type { ServedText } from "./texts.ts";

/** A file of the page as it is served, below a path that changes with the names and contents of all of them. */
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
};
const ONE_YEAR = "public, max-age=31536000, immutable";

// Nothing inline, nothing from elsewhere, and no script whose address the page's own policy does not vouch for.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types handoff-worker",
].join("; ");

const HEADERS = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "x-frame-options": "DENY",
} as const;

/** The files of the page, in the folder whose name changes with what is in them. */
export function pageAssets({ files }: PageSources): {
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

/** The media type of the file `name`. Throws when there is none: nothing is served that a browser would have to guess. */
function typeOf(name: string): string {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (type === undefined) throw new Error(`a file of the page has no media type: ${name}`);
  return type;
}

/** The page, ready to be served. */
interface ServedPage {
  /** The document by the way from it to the top of the site, which may lie below a path. */
  readonly documents: ReadonlyMap<string, ServedText>;
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly text: ServedText }>;
}

/** The ways from the places of the page to the top of the site. */
const WAYS_UP = ["", "../", "../../"] as const;

function prepare(sources: PageSources): ServedPage {
  const { folder, assets } = pageAssets(sources);
  return {
    documents: new Map(WAYS_UP.map((wayUp) => [wayUp, serveable(documentOf(wayUp + folder, sources))])),
    assets: new Map(assets.map(({ path, type, content }) => [path, { type, text: serveableBuilt(content) }])),
  };
}

/** The page at each of its places, and what it needs. Without the fragment of a link they are all the same to the server. */
export function pageRoutes(read: () => Promise<PageSources>) {
  // Read when somebody asks: a server that starts should not wait for it.
  let page: Promise<ServedPage> | undefined;
  const open = () => (page ??= read().then(prepare));
  const serve =
    (wayUp: (typeof WAYS_UP)[number]) =>
    async ({ request, set }: Pick<Context, "request" | "set">) => {
      const document = (await open()).documents.get(wayUp);
      if (!document) throw new Refusal("not_found");
      Object.assign(set.headers, HEADERS, { "content-type": "text/html; charset=utf-8" });
      return answerText(document, { request, set });
    };
  return (
    new Elysia({ normalize: false })
      .get("/", serve(""))
      .get("/ask", serve(""))
      .get("/activity", serve(""))
      .get("/about", serve(""))
      .get("/sign-in", serve(""))
      .get("/s/:id", serve("../"))
      .get("/r/:id", serve("../"))
      .get("/c/:id", serve("../"))
      // With a slash too many at the end of the path, which people add.
      .get("/ask/", serve("../"))
      .get("/activity/", serve("../"))
      .get("/about/", serve("../"))
      .get("/sign-in/", serve("../"))
      .get("/s/:id/", serve("../../"))
      .get("/r/:id/", serve("../../"))
      .get("/c/:id/", serve("../../"))
      .get("/assets/:hash/:name", async ({ params, request, set }) => {
        const file = (await open()).assets.get(`assets/${params.hash}/${params.name}`);
        if (!file) throw new Refusal("not_found");
        Object.assign(set.headers, HEADERS, { "content-type": file.type, "cache-control": ONE_YEAR });
        return answerText(file.text, { request, set });
      })
  );
}

function documentOf(folder: string, { texts, preloads }: PageSources): string {
  const { language, direction, name, loading, noScript } = texts;
  const chunks = preloads.map((each) => `<link rel="modulepreload" href="${folder}/${each}">\n`);
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="icon" href="${folder}/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${folder}/app.css">
<script type="module" src="${folder}/app.js"></script>
${chunks.join("")}</head>
<body>
<div id="page">
<header>${name}</header>
<main><p role="status" class="quiet">${loading}</p><noscript>${noScript}</noscript></main>
</div>
</body>
</html>
`;
}
