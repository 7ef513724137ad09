import { bundleDocs } from "./docs-bundle.ts" with { type: "macro" };
import type { DocsSources } from "./docs-bundle.ts";

/** Swagger UI, compressed at build time. It has its own file, which is loaded on first use. */
export const DOCS: DocsSources = bundleDocs();
