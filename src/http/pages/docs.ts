import { Elysia } from "elysia";
import type { ServerPolicy } from "../../domain/server-policies.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { HttpOptions } from "../options.ts";
import { placeBrand } from "./brands.ts";
import initScript from "./docs-init.js" with { type: "text" };
import { docsPage } from "./docs-page.ts";
import { answerText, serveable, serveableBuilt } from "./texts.ts";
import type { ServedText } from "./texts.ts";

/** Browsers keep the files of Swagger UI for this long. Another version of the program may have others. */
const ASSET_SECONDS = 3600;
const PRODUCT_NAME = "handoff";
const SCRIPT = "text/javascript; charset=utf-8";

// Swagger UI sets style attributes. No other inline code and no other origin is allowed.
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

/** `/openapi.json`, and `/docs`, which shows it to people and loads nothing from elsewhere. */
export function docsRoutes(policy: ServerPolicy, options: Pick<HttpOptions, "baseUrl" | "version" | "brand">) {
  // Created at the first call, so that startup does not wait for it.
  let description: Promise<ServedText> | undefined;
  const describe = async () => {
    const { describeApi } = await import("../openapi/document.ts");
    const document = await describeApi({ policy, version: options.version, baseUrl: options.baseUrl() });
    return serveable(JSON.stringify(document));
  };
  let page: ServedText | undefined;
  let assets: ReturnType<typeof readAssets> | undefined;

  return new Elysia({ normalize: false })
    .get("/openapi.json", async ({ request, set }) => {
      set.headers["content-type"] = "application/json";
      // Browsers cache it, and revalidate it each time.
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
    .get("/docs/", ({ set }) => {
      set.status = 308;
      set.headers["location"] = "../docs";
      return "";
    })
    .get("/docs/:asset", async ({ params, request, set }) => {
      const asset = (await (assets ??= readAssets())).get(params.asset);
      if (!asset) throw new Refusal("not_found");
      set.headers["content-type"] = asset.type;
      set.headers["cache-control"] = `public, max-age=${ASSET_SECONDS}`;
      return answerText(asset.text, { request, set });
    });
}

async function readAssets() {
  const { DOCS } = await import("./docs-sources.ts");
  return new Map([
    ["swagger-ui.js", { type: SCRIPT, text: serveableBuilt(DOCS.script) }],
    ["swagger-ui.css", { type: "text/css; charset=utf-8", text: serveableBuilt(DOCS.styles) }],
    ["favicon.svg", { type: "image/svg+xml", text: serveableBuilt(DOCS.icon) }],
    ["init.js", { type: SCRIPT, text: serveable(initScript) }],
  ]);
}
