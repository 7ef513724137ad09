import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PLACE_KINDS } from "../../http/options.ts";
import type { CompressedFile, PageSources } from "../../http/options.ts";
import { compress } from "../../http/pages/compression.ts";
import { texts as english } from "../../web/languages/en/page.ts";
import { createGrammar } from "../../web/languages/grammar.ts";

const WEB = join(import.meta.dir, "../../web");
/** The styles of the document before its script runs, and without it. */
const DOCUMENT_STYLES = join(import.meta.dir, "../../http/pages/document.css");

/** The part of the bundler's metadata that is needed here. */
interface BuildDescription {
  readonly outputs: Readonly<
    Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
  >;
}

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
    const preloads = Object.fromEntries(
      PLACE_KINDS.map((kind) => {
        const script = `${kind}.js`;
        return [kind, chunksOf(script, build(join(web, `entries/${kind}.tsx`), script, folder))];
      }),
    );
    build(join(web, "browser/crypto-worker.ts"), "worker.js", folder);
    build(sheet, "app.css", folder);
    build(join(web, "entries/manual.ts"), "manual.js", folder);
    build(join(web, "styles/manual.css"), "manual.css", folder);
    const files: Record<string, CompressedFile> = {};
    for (const from of [built, join(web, "static")]) {
      for (const name of readdirSync(from).toSorted()) files[name] = compress(readFileSync(join(from, name)));
    }
    return { texts: documentTexts(), files, preloads: preloads as PageSources["preloads"] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The texts of the document before the script runs. */
function documentTexts(): PageSources["texts"] {
  const { language, direction, name, loading, noScript, frame } = english(createGrammar("en"));
  return { language, direction, name, loading, noScript, promise: frame.promise };
}

/**
 * Builds `entry` into the file `name`, with its chunks beside it. Entries are built one by one, so that shared code
 * needs no extra file.
 */
function build(entry: string, name: string, folder: string): BuildDescription {
  const description = join(folder, "description.json");
  const options = ["--minify", "--target=browser", "--format=esm", "--splitting", "--no-module-preload"];
  const names = ["--outdir", join(folder, "files"), "--entry-naming", name, "--chunk-naming", "[name]-[hash].[ext]"];
  const command = [process.execPath, "build", entry, ...options, ...names, `--metafile=${description}`];
  const { success, stderr } = Bun.spawnSync(command, { env: { ...process.env, BUN_BE_BUN: "1" } });
  if (!success) throw new Error(`the page cannot be bundled: ${stderr.toString()}`);
  return JSON.parse(readFileSync(description, "utf8")) as BuildDescription;
}

/** The chunks that `script` needs to run. */
function chunksOf(script: string, { outputs }: BuildDescription): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    for (const { path, kind } of outputs[`./${name}`]?.imports ?? []) {
      const chunk = path.replace(/^\.\//, "");
      if (kind !== "import-statement" || found.has(chunk)) continue;
      found.add(chunk);
      visit(chunk);
    }
  };
  visit(script);
  return [...found];
}
