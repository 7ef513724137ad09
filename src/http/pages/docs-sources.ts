import { bundleDocs } from "./docs-bundle.ts" with { type: "macro" };
import type { DocsSources } from "./docs-bundle.ts";

/** Swagger UI, compressed when the program was built. In a file of its own, which is read when somebody asks for it. */
export const DOCS: DocsSources = bundleDocs();
