import { Elysia } from "elysia";
import { Refusal } from "../../domain/errors.ts";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import type { HttpOptions } from "../options.ts";
import { placeBrand } from "./brands.ts";
import initScript from "./docs-init.js" with { type: "text" };
import { docsPage } from "./docs-page.ts";
import { answerText, serveable, serveableBuilt } from "./texts.ts";
import type { ServedText } from "./texts.ts";

/**
 * The time that a browser keeps the reader of the document without asking; another version of the program has another.
 */
const ASSET_SECONDS = 3600;
const PRODUCT_NAME = "handoff";
const SCRIPT = "text/javascript; charset=utf-8";
const ASSET_TYPES: Readonly<Record<string, string>> = {
  "swagger-ui.js": SCRIPT,
  "swagger-ui.css": "text/css; charset=utf-8",
  "favicon.svg": "image/svg+xml",
  "init.js": SCRIPT,
};

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
export function docsRoutes(policy: ServerPolicy, options: Pick<HttpOptions, "baseUrl" | "version" | "brand">) {
  // Read in when somebody asks: a server that starts should not wait for it.
  let description: Promise<ServedText> | undefined;
  const describe = async () => {
    const { describeApi } = await import("../openapi/document.ts");
    return serveable(JSON.stringify(describeApi({ policy, version: options.version, baseUrl: options.baseUrl() })));
  };
  let page: ServedText | undefined;
  let assets: Promise<ReadonlyMap<string, ServedText>> | undefined;

  return new Elysia({ normalize: false })
    .get("/openapi.json", async ({ request, set }) => {
      set.headers["content-type"] = "application/json";
      // To be kept, and asked about each time.
      set.headers["cache-control"] = "no-cache";
      return answerText(await (description ??= describe()), { request, set });
    })
    .get("/docs", ({ request, set }) => {
      set.headers["content-type"] = "text/html; charset=utf-8";
      set.headers["content-security-policy"] = POLICY;
      set.headers["referrer-policy"] = "no-referrer";
      return answerText((page ??= serveable(docsPage(placeBrand(options.brand, "docs", PRODUCT_NAME)))), {
        request,
        set,
      });
    })
    .get("/docs/:asset", async ({ params, request, set }) => {
      const type = Object.hasOwn(ASSET_TYPES, params.asset) ? ASSET_TYPES[params.asset] : undefined;
      if (type === undefined) throw new Refusal("not_found");
      const asset = (await (assets ??= readAssets())).get(params.asset);
      if (!asset) throw new Refusal("not_found");
      set.headers["content-type"] = type;
      set.headers["cache-control"] = `public, max-age=${ASSET_SECONDS}`;
      return answerText(asset, { request, set });
    });
}

async function readAssets(): Promise<ReadonlyMap<string, ServedText>> {
  const { DOCS } = await import("./docs-sources.ts");
  return new Map([
    ["swagger-ui.js", serveableBuilt(DOCS.script)],
    ["swagger-ui.css", serveableBuilt(DOCS.styles)],
    ["favicon.svg", serveableBuilt(DOCS.icon)],
    ["init.js", serveable(initScript)],
  ]);
}
