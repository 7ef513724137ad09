import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PLACE_KINDS } from "../../http/options.ts";
import type { CompressedFile, PageSources } from "../../http/options.ts";
import { compress } from "../../http/pages/compression.ts";
import { en } from "../../web/languages/en.ts";
import { createGrammar } from "../../web/languages/grammar.ts";

const WEB = join(import.meta.dir, "../../web");
/** The styles of what the document shows before its script, or without it. */
const DOCUMENT_STYLES = join(import.meta.dir, "../../http/pages/document.css");

/** The part of the bundler's description of what it built that is needed here. */
interface BuildDescription {
  readonly outputs: Readonly<
    Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
  >;
}

/**
 * Bundles the page and compresses it. What a module of it loads with `import()` becomes a file of its own. A macro: it
 * runs when the program is bundled, and what it returns becomes a part of the executable. Throws when the page cannot
 * be bundled. `web` is the folder of its source; what is in `static` there is served as it is.
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
    const files: Record<string, CompressedFile> = {};
    for (const from of [built, join(web, "static")]) {
      for (const name of readdirSync(from).toSorted()) files[name] = compress(readFileSync(join(from, name)));
    }
    return { texts: documentTexts(), files, preloads: preloads as PageSources["preloads"] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The texts that are in the document before the script runs. */
function documentTexts(): PageSources["texts"] {
  const { language, direction, name, loading, noScript, frame } = en(createGrammar("en"));
  return { language, direction, name, loading, noScript, promise: frame.promise };
}

/**
 * Builds `entry` into the file `name`, with its chunks beside it. One by one: what entries share is no file more to
 * fetch.
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

/** The chunks without which `script` does not run. */
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
