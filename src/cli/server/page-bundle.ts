import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CompressedFile, PageSources } from "../../http/options.ts";
import { compress } from "../../http/pages/compression.ts";

const WEB = join(import.meta.dir, "../../web");
/** The styles of the document before its script runs, and without it. */
const DOCUMENT_STYLES = join(import.meta.dir, "../../http/pages/document.css");

/** What bundles the page. It is a program of its own, because a macro can't wait. */
const BUNDLER = join(import.meta.dir, "page-bundler.ts");

/**
 * Bundles the page and compresses it. Modules that it loads with `import()` become files of their own. This is a macro:
 * it runs when the program is bundled, and its result becomes a part of the executable. `web` is the folder of the
 * source; files in its `static` folder are served unchanged. Throws when the page can't be bundled.
 */
export function bundlePage(web: string = WEB): PageSources {
  const folder = mkdtempSync(join(tmpdir(), "handoff-page-"));
  const built = join(folder, "files");
  try {
    const sheet = join(folder, "app.css");
    const sheets = [join(web, "styles.css"), DOCUMENT_STYLES];
    writeFileSync(sheet, sheets.map((each) => `@import ${JSON.stringify(each)};\n`).join(""));
    const loaded = bundle(web, built, sheet);
    const files: Record<string, CompressedFile> = {};
    for (const from of [built, join(web, "static")]) {
      for (const name of readdirSync(from).toSorted()) files[name] = compress(readFileSync(join(from, name)));
    }
    return { name: "handoff", files, ...loaded };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles the page with its style sheet into the folder `out`. Returns what the documents name, and what they say. */
function bundle(web: string, out: string, sheet: string): Pick<PageSources, "preloads" | "person" | "texts"> {
  const command = [process.execPath, "run", BUNDLER, web, out, sheet];
  const { success, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, BUN_BE_BUN: "1" } });
  if (!success) throw new Error(`the page cannot be bundled: ${stderr.toString()}`);
  return JSON.parse(stdout.toString()) as Pick<PageSources, "preloads" | "person" | "texts">;
}
