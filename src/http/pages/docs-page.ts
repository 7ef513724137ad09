import { OPERATION_IDS, schemasOf } from "../../contract/operation-schemas.ts";
import { API_PREFIX, OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { listUploads } from "../openapi/uploads.ts";
import type { ListedCall } from "../openapi/uploads.ts";
import type { PlacedBrand } from "./brands.ts";
import { markOf } from "./documents.ts";
import { escapeHtml as escape } from "./html.ts";

/**
 * The page of the documentation. It lists the operations until Swagger UI has loaded, which takes a while on a slow
 * connection.
 */
export function docsPage({ name, styles, logo, logoDark }: PlacedBrand): string {
  const groups = [...Map.groupBy([...OPERATION_IDS.map(toListed), ...listUploads()], ({ tag }) => tag)];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(name)} API</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="docs/favicon.svg" type="image/svg+xml">
<link rel="preload" href="openapi.json" as="fetch" crossorigin>
<link rel="stylesheet" href="docs/swagger-ui.css">
${styles === undefined ? "" : `<link rel="stylesheet" href="${styles}">\n`}\
<script src="docs/swagger-ui.js" defer></script>
<script src="docs/init.js" defer></script>
</head>
<body>
<header class="docs-bar"><a href="./">${markOf({ logo, logoDark }, "")}<span>${escape(name)}</span></a><a href="manual/api">Manual</a></header>
<div id="docs">
<main class="swagger-ui"><div class="wrapper">
<h1 class="docs-title">${escape(name)} API</h1>
<p><a href="openapi.json">OpenAPI document</a></p>
${groups.map(([tag, calls]) => `<h2>${escape(tag)}</h2>\n<ul>\n${calls.map(listCall).join("\n")}\n</ul>`).join("\n")}
</div></main>
</div>
</body>
</html>
`;
}

function toListed(id: OperationId): ListedCall {
  const { method, path } = OPERATIONS[id];
  const { tag, summary } = schemasOf(id);
  return { method, path: API_PREFIX + path, tag, summary };
}

function listCall({ method, path, summary }: ListedCall): string {
  return `<li><code>${escape(`${method} ${path}`)}</code> ${escape(summary)}</li>`;
}
