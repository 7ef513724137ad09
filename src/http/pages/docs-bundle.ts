import { readFileSync } from "node:fs";
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "text" };
import type { CompressedFile } from "../options.ts";
import { compress } from "./compression.ts";
import { withoutColors } from "./docs-colors.ts";
import styles from "swagger-ui-dist/swagger-ui.css" with { type: "text" };

/** The embedded documentation: Swagger UI in the page's style. */
export interface DocsSources {
  readonly script: CompressedFile;
  readonly styles: CompressedFile;
  readonly icon: CompressedFile;
}

/** The page's own colors, mark and icon: read as files, because nothing of the page may be imported here. */
const TOKENS = new URL("../../web/styles/tokens.css", import.meta.url);
const MARK = new URL("../../web/styles/mark.css", import.meta.url);
const ICON = new URL("../../web/static/favicon.svg", import.meta.url);
const OWN = new URL("docs.css", import.meta.url);

/** Compresses Swagger UI. A macro: its result becomes a part of the executable. */
export function bundleDocs(): DocsSources {
  const [tokens, mark, own] = [TOKENS, MARK, OWN].map((path) =>
    readFileSync(path, "utf8").replaceAll(/\/\*[^]*?\*\//g, ""),
  );
  return {
    script: compress(script),
    styles: compress([tokens, mark, withoutColors(styles), own].join("\n")),
    icon: compress(readFileSync(ICON)),
  };
}
