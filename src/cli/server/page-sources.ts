import type { PageSources } from "../../http/options.ts";
import { bundlePage } from "./page-bundle.ts" with { type: "macro" };

/** The page, bundled at build time. It has its own file, so that only code that serves it bundles it from source. */
export const PAGE: PageSources = bundlePage();
