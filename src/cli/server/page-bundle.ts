import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CompressedFile, PageSources } from "../../http/options.ts";
import { compress } from "../../http/pages/compression.ts";
import { STRINGS } from "../../web/strings.ts";

const WEB = join(import.meta.dir, "../../web");

/** The files that the document names, and the modules they are made from. */
const ENTRIES = {
  "app.js": "main.tsx",
  "worker.js": "browser/crypto-worker.ts",
  "app.css": "styles.css",
} as const;

/** The part of the bundler's description of what it built that is needed here. */
interface BuildDescription {
  readonly outputs: Readonly<
    Record<string, { readonly imports: readonly { readonly path: string; readonly kind: string }[] }>
  >;
}

/**
 * Bundles the page and compresses it. What a module of it loads with `import()` becomes a file of its own. A macro: it runs
 * when the program is bundled, and what it returns becomes a part of the executable. Throws when the page cannot be bundled.
 * `web` is the folder of its source; what is in `static` there is served as it is.
 */
export function bundlePage(web: string = WEB): PageSources {
  const folder = mkdtempSync(join(tmpdir(), "handoff-page-"));
  const built = join(folder, "files");
  try {
    const descriptions = Object.entries(ENTRIES).map(([name, entry]) => build(join(web, entry), name, folder));
    const files: Record<string, CompressedFile> = {};
    for (const from of [built, join(web, "static")]) {
      for (const name of readdirSync(from).toSorted()) files[name] = compress(readFileSync(join(from, name)));
    }
    return { texts: documentTexts(), files, preloads: descriptions.flatMap(chunksOfApp) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The texts that are in the document before the script runs. */
function documentTexts(): PageSources["texts"] {
  const { language, direction, name, loading, noScript } = STRINGS;
  return { language, direction, name, loading, noScript };
}

/** Builds `entry` into the file `name`, with its chunks beside it. One by one: what entries share is no file more to fetch. */
function build(entry: string, name: string, folder: string): BuildDescription {
  const description = join(folder, "description.json");
  const options = ["--minify", "--target=browser", "--format=esm", "--splitting", "--no-module-preload"];
  const names = ["--outdir", join(folder, "files"), "--entry-naming", name, "--chunk-naming", "[name]-[hash].[ext]"];
  const command = [process.execPath, "build", entry, ...options, ...names, `--metafile=${description}`];
  const { success, stderr } = Bun.spawnSync(command, { env: { ...process.env, BUN_BE_BUN: "1" } });
  if (!success) throw new Error(`the page cannot be bundled: ${stderr.toString()}`);
  return JSON.parse(readFileSync(description, "utf8")) as BuildDescription;
}

/** The chunks without which the script of the document does not run; none for what is not that script. */
function chunksOfApp({ outputs }: BuildDescription): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    for (const { path, kind } of outputs[`./${name}`]?.imports ?? []) {
      const chunk = path.replace(/^\.\//, "");
      if (kind !== "import-statement" || found.has(chunk)) continue;
      found.add(chunk);
      visit(chunk);
    }
  };
  visit("app.js");
  return [...found];
}
