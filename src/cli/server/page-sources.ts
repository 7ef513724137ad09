import type { PageSources } from "../../http/options.ts";
import { bundlePage } from "./page-bundle.ts" with { type: "macro" };

/**
 * The page, bundled when the program was. In a file of its own, so that only who serves it has it bundled from source.
 */
export const PAGE: PageSources = bundlePage();
