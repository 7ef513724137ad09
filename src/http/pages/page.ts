import { Elysia } from "elysia";
import type { Context } from "elysia";
import { Refusal } from "../../domain/errors.ts";
import type { PageSources } from "../options.ts";
import { answerText, serveable } from "./texts.ts";

/** A file of the page as it is served. */
export interface PageFile {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

const SCRIPT = "text/javascript; charset=utf-8";
const ONE_YEAR = "public, max-age=31536000, immutable";

// Nothing inline, nothing from elsewhere, and no script whose address the page's own policy does not vouch for.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
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

/**
 * Every file of the page: assets under a name that changes with their content, and the document, which is the same for
 * every link.
 */
export function pageFiles({ app, worker, styles, texts }: PageSources): {
  document: PageFile;
  assets: readonly PageFile[];
} {
  const hash = new Bun.CryptoHasher("sha256").update(app).update(worker).update(styles).digest("hex").slice(0, 16);
  const asset = (name: string, type: string, content: string) => ({ path: `assets/${hash}/${name}`, type, content });
  const assets = [
    asset("app.js", SCRIPT, app),
    asset("worker.js", SCRIPT, worker),
    asset("app.css", "text/css; charset=utf-8", styles),
  ];
  const content = documentOf(`assets/${hash}`, texts);
  return { document: { path: "index.html", type: "text/html; charset=utf-8", content }, assets };
}

/** The page at each of its places, and what it needs. Without the fragment of a link they are all the same to the server. */
export function pageRoutes(sources: PageSources) {
  const { document, assets } = pageFiles(sources);
  const byPath = new Map(assets.map((file) => [file.path, { type: file.type, text: serveable(file.content) }]));
  const serve = (prefix: string) => {
    const text = serveable(document.content.replaceAll(PREFIX, prefix));
    return (context: Pick<Context, "request" | "set">) => {
      Object.assign(context.set.headers, HEADERS, { "content-type": document.type });
      return answerText(text, context);
    };
  };
  return (
    new Elysia({ normalize: false })
      .get("/", serve(""))
      .get("/ask", serve(""))
      .get("/sign-in", serve(""))
      .get("/s/:id", serve("../"))
      .get("/r/:id", serve("../"))
      .get("/c/:id", serve("../"))
      // With a slash too many at the end of the path, which people add.
      .get("/ask/", serve("../"))
      .get("/sign-in/", serve("../"))
      .get("/s/:id/", serve("../../"))
      .get("/r/:id/", serve("../../"))
      .get("/c/:id/", serve("../../"))
      .get("/assets/:hash/:name", ({ params, request, set }) => {
        const file = byPath.get(`assets/${params.hash}/${params.name}`);
        if (!file) throw new Refusal("not_found");
        Object.assign(set.headers, HEADERS, { "content-type": file.type, "cache-control": ONE_YEAR });
        return answerText(file.text, { request, set });
      })
  );
}

/** Stands for the way from a document to the top of the site, which may lie below a path. */
const PREFIX = "%TOP%";

function documentOf(folder: string, { language, direction, name, loading, noScript }: PageSources["texts"]): string {
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${PREFIX}${folder}/app.css">
<script type="module" src="${PREFIX}${folder}/app.js"></script>
</head>
<body>
<div id="page">
<header>${name}</header>
<main><p role="status" class="quiet">${loading}</p><noscript>${noScript}</noscript></main>
</div>
</body>
</html>
`;
}
