import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "text" };
import type { CompressedFile } from "../options.ts";
import { compress } from "./compression.ts";
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "text" };

/** The reader of the documentation, Swagger UI, as it is embedded. */
export interface DocsSources {
  readonly script: CompressedFile;
  readonly styles: CompressedFile;
}

/** Compresses Swagger UI. A macro: what it returns becomes a part of the executable. */
export function bundleDocs(): DocsSources {
  return { script: compress(script), styles: compress(styles) };
}
