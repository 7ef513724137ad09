import { OPERATION_IDS, schemasOf } from "../../contract/operation-schemas.ts";
import { API_PREFIX, OPERATIONS } from "../../contract/operations.ts";
import type { OperationId } from "../../contract/operations.ts";
import { escapeHtml as escape } from "./html.ts";

/**
 * The page of the documentation: the list of the operations, whose place the reader takes once it has arrived, which a slow
 * connection keeps it from for a while.
 */
export function docsPage(): string {
  const groups = [...Map.groupBy(OPERATION_IDS, (id) => schemasOf(id).tag)];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>handoff API</title>
<link rel="icon" href="data:,">
<link rel="preload" href="openapi.json" as="fetch" crossorigin>
<link rel="stylesheet" href="docs/swagger-ui.css">
<script src="docs/swagger-ui.js" defer></script>
<script src="docs/init.js" defer></script>
</head>
<body>
<main id="docs">
<div class="swagger-ui"><div class="wrapper">
<h1>handoff API</h1>
<p><a href="openapi.json">OpenAPI document</a></p>
${groups.map(([tag, ids]) => `<h2>${escape(tag)}</h2>\n<ul>\n${ids.map(listOperation).join("\n")}\n</ul>`).join("\n")}
</div></div>
</main>
</body>
</html>
`;
}

function listOperation(id: OperationId): string {
  const { method, path } = OPERATIONS[id];
  return `<li><code>${escape(`${method} ${API_PREFIX}${path}`)}</code> ${escape(schemasOf(id).summary)}</li>`;
}
