import { Elysia } from "elysia";
import swaggerScript from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { Refusal } from "../../domain/errors.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import { describeApi } from "../openapi/document.ts";
import type { HttpOptions } from "../options.ts";
import initScript from "./docs-init.js" with { type: "file" };
import { answerText, serveable } from "./texts.ts";
import type { ServedText } from "./texts.ts";
import swaggerStyle from "swagger-ui-dist/swagger-ui.css" with { type: "file" };

/**
 * The time that a browser keeps the reader of the document without asking; another version of the program has another.
 */
const ASSET_SECONDS = 3600;
const SCRIPT = "text/javascript; charset=utf-8";
const ASSETS: Readonly<Record<string, { readonly path: string; readonly type: string }>> = {
  "swagger-ui.js": { path: swaggerScript, type: SCRIPT },
  "swagger-ui.css": { path: swaggerStyle, type: "text/css; charset=utf-8" },
  "init.js": { path: initScript, type: SCRIPT },
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>handoff API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui.js"></script>
<script src="docs/init.js"></script>
</body>
</html>
`;

// Swagger UI sets style attributes; nothing else may be inline, and nothing may come from elsewhere.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** `/openapi.json`, and `/docs`, which reads it to people and needs nothing from elsewhere. */
export function docsRoutes(policy: ServerPolicy, options: Pick<HttpOptions, "baseUrl" | "version">) {
  let description: ServedText | undefined;
  const describe = () =>
    serveable(JSON.stringify(describeApi({ policy, version: options.version, baseUrl: options.baseUrl() })));
  const assets = new Map<string, Promise<ServedText>>();
  const read = (path: string): Promise<ServedText> => {
    const known = assets.get(path);
    if (known) return known;
    const reading = Bun.file(path).bytes().then(serveable);
    assets.set(path, reading);
    // What could not be read this time is read again.
    reading.catch(() => assets.delete(path));
    return reading;
  };

  return new Elysia({ normalize: false })
    .get("/openapi.json", ({ request, set }) => {
      set.headers["content-type"] = "application/json";
      // To be kept, and asked about each time.
      set.headers["cache-control"] = "no-cache";
      return answerText((description ??= describe()), { request, set });
    })
    .get("/docs", ({ set }) => {
      set.headers["content-type"] = "text/html; charset=utf-8";
      set.headers["content-security-policy"] = POLICY;
      set.headers["referrer-policy"] = "no-referrer";
      return PAGE;
    })
    .get("/docs/:asset", async ({ params, request, set }) => {
      const asset = Object.hasOwn(ASSETS, params.asset) ? ASSETS[params.asset] : undefined;
      if (!asset) throw new Refusal("not_found");
      set.headers["content-type"] = asset.type;
      set.headers["cache-control"] = `public, max-age=${ASSET_SECONDS}`;
      return answerText(await read(asset.path), { request, set });
    });
}
