// Bundles the page: `page-bundler.ts FOLDER OUT SHEET`. Prints the chunks of each kind of place as JSON.
import { join } from "node:path";
import { PLACE_KINDS } from "../../http/options.ts";
import type { PlaceKind, Preloads } from "../../http/options.ts";
import { withoutUnused } from "./page-packages.ts";
import type { AgeKeys } from "./page-packages.ts";

type Outputs = NonNullable<Bun.BuildOutput["metafile"]>["outputs"];

const [web = "", out = "", sheet = ""] = process.argv.slice(2);

/** The worker of each kind of place, with the keys that it opens and seals with. */
const WORKERS: Readonly<Record<string, AgeKeys>> = {
  "opening-worker": ["passphrases"],
  "submitting-worker": ["passphrases", "recipients"],
  worker: ["passphrases", "identities", "recipients"],
};

/**
 * Builds `entry` into the file `name`, with its chunks beside it. Entries are built one by one, so that shared code
 * needs no extra file.
 */
async function build(entry: string, name: string, keys: AgeKeys = []): Promise<Outputs> {
  const built = await Bun.build({
    entrypoints: [entry],
    outdir: out,
    naming: { entry: name, chunk: "[name]-[hash].[ext]" },
    target: "browser",
    format: "esm",
    minify: true,
    splitting: true,
    modulePreload: false,
    metafile: true,
    plugins: [withoutUnused(keys)],
  });
  return built.metafile?.outputs ?? {};
}

/** The chunks that `script` needs to run, and its texts in each language. */
function preloadsOf(script: string, outputs: Outputs): Preloads {
  const scripts = staticChunks(script, outputs);
  const texts: Record<string, readonly string[]> = {};
  for (const chunk of [script, ...scripts]) {
    for (const { path, kind } of importsOf(chunk, outputs)) {
      const language = /\/languages\/([^/]+)\/[^/]+$/.exec(outputs[`./${path}`]?.entryPoint ?? "")?.[1];
      if (kind !== "dynamic-import" || language === undefined) continue;
      texts[language] = [...new Set([...(texts[language] ?? []), path, ...staticChunks(path, outputs)])];
    }
  }
  return { scripts, texts };
}

function staticChunks(script: string, outputs: Outputs): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    for (const { path, kind } of importsOf(name, outputs)) {
      if (kind !== "import-statement" || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  visit(script);
  return [...found];
}

function importsOf(name: string, outputs: Outputs) {
  const imports = outputs[`./${name}`]?.imports ?? [];
  return imports.map(({ path, kind }) => ({ path: path.replace(/^\.\//, ""), kind }));
}

const preloads: Partial<Record<PlaceKind, Preloads>> = {};
for (const kind of PLACE_KINDS) {
  const script = `${kind}.js`;
  preloads[kind] = preloadsOf(script, await build(join(web, `entries/${kind}.tsx`), script));
}
for (const [name, keys] of Object.entries(WORKERS)) await build(join(web, `browser/${name}.ts`), `${name}.js`, keys);
await build(sheet, "app.css");
await build(join(web, "entries/manual.ts"), "manual.js");
await build(join(web, "styles/manual.css"), "manual.css");
process.stdout.write(JSON.stringify(preloads));
