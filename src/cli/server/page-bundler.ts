// Bundles the page: `page-bundler.ts FOLDER OUT SHEET`. Prints as JSON what is loaded beside each script.
import { join } from "node:path";
import type { DocumentTexts, PlaceKind, Preloads } from "../../http/options.ts";
import { readDocumentTexts } from "../../web/languages/documents.ts";
import { isLanguageTag, LANGUAGES } from "../../web/languages/languages.ts";
import { withoutUnused, withParts } from "./page-plugins.ts";
import type { AgeKeys } from "./page-plugins.ts";

type Outputs = NonNullable<Bun.BuildOutput["metafile"]>["outputs"];

const [web = "", out = "", sheet = ""] = process.argv.slice(2);

interface Build {
  readonly places: readonly PlaceKind[];
  /** The path of its script. */
  readonly worker?: string;
  /** What loads parts later, if that isn't the only script. */
  readonly partsOf?: string;
  /** The kinds of keys that the worker has. */
  readonly keys: AgeKeys;
  /** True when its calls have the token of a link. */
  readonly isOfLinks?: boolean;
}

/**
 * What is built together shares files: the scripts of a place and of the worker that it starts, and home with the place
 * where people sign in. A place that shared more would load what it doesn't need.
 */
const BUILDS: readonly Build[] = [
  { places: ["secret"], worker: "browser/opening-worker", keys: ["passphrases"], isOfLinks: true },
  // Few load it, and it would make others load what it shares with them in more files.
  { places: [], worker: "large/large-opening-worker", keys: ["passphrases", "identities"], isOfLinks: true },
  { places: ["request"], worker: "browser/submitting-worker", keys: ["passphrases", "recipients"], isOfLinks: true },
  {
    places: ["home", "sign-in"],
    worker: "browser/worker",
    partsOf: "sending/send-form.tsx",
    keys: ["passphrases", "identities", "recipients"],
  },
  { places: ["collect"], keys: [] },
  { places: ["login"], keys: [] },
  // Few load it, and what it shared with the page would be cut into more files for everybody.
  { places: [], worker: "composing/large/large-sending-worker", keys: ["passphrases", "recipients"] },
];

/** Builds `entries` into files of their names, with their chunks beside them; `script` is the one that loads parts. */
async function build(
  entries: readonly string[],
  { keys = [], isOfLinks = false }: Partial<Pick<Build, "keys" | "isOfLinks">> = {},
  script?: string,
): Promise<Outputs> {
  const built = await Bun.build({
    entrypoints: [...entries],
    outdir: out,
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]" },
    target: "browser",
    format: "esm",
    minify: true,
    // Otherwise each element brings where it stands in the source.
    jsx: { runtime: "automatic", importSource: "preact", development: false },
    splitting: true,
    modulePreload: false,
    metafile: true,
    // Fonts are files of the static folder, beside the sheet.
    external: ["*.woff2"],
    plugins: [withoutUnused(keys, isOfLinks), ...(script === undefined ? [] : [withParts(script)])],
  });
  return built.metafile?.outputs ?? {};
}

/** The part of the page that the script of `home` loads for a signed-in person. */
const PERSON_PAGE = /\/pages\/person-page\.tsx$/;
const NOTHING: Preloads = { scripts: [], texts: {} };

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
let person = NOTHING;
for (const { places, worker, partsOf, ...has } of BUILDS) {
  const entries = places.map((kind) => join(web, `entries/${kind}.tsx`));
  const outputs = await build(
    [...entries, ...(worker === undefined ? [] : [join(web, `${worker}.ts`)])],
    has,
    partsOf === undefined ? (entries.length === 1 ? entries[0] : undefined) : join(web, partsOf),
  );
  for (const kind of places) preloads[kind] = preloadsOf(`${kind}.js`, outputs);
  const part = Object.keys(outputs).find((each) => PERSON_PAGE.test(outputs[each]?.entryPoint ?? ""));
  if (part !== undefined) {
    const name = part.replace(/^\.\//, "");
    const { scripts, texts } = preloadsOf(name, outputs);
    person = { scripts: [name, ...scripts], texts };
  }
}
const others = ["entries/manual.ts", "styles/manual.css", "styles/person.css", "styles/start.css"].map((each) =>
  join(web, each),
);
for (const entry of [sheet, ...others]) await build([entry]);
const tags = Object.keys(LANGUAGES).filter(isLanguageTag);
const texts = tags.map((tag): [string, DocumentTexts] => [
  tag.toLowerCase(),
  { language: tag, direction: LANGUAGES[tag].direction, ...readDocumentTexts(tag) },
]);
process.stdout.write(JSON.stringify({ preloads, person, texts: Object.fromEntries(texts) }));
