import { readFileSync } from "node:fs";

/** The kinds of keys that a script opens and seals with. */
export type AgeKeys = readonly ("passphrases" | "identities" | "recipients")[];

/** What the age library has for each kind; the recipients of hardware tokens are in none. */
const CLASSES = {
  passphrases: ["ScryptIdentity", "ScryptRecipient"],
  identities: ["X25519Identity", "HybridIdentity"],
  recipients: ["X25519Recipient", "HybridRecipient"],
} as const;
const TAGS = ["TagRecipient", "HybridTagRecipient"];
const FUNCTIONS = ["generateIdentity", "generateX25519Identity", "generateHybridIdentity", "identityToRecipient"];

/** The files whose sentences are for terminals and agents. */
const WITH_SENTENCES =
  /(?:client[/\\](?:answers|explanations|requests|unknown-outcomes)|crypto[/\\](?:contents|entry-names|envelopes|link-faults|links))\.ts$/;
const SENTENCES = /"[A-Z][^"\n]* [^"\n]*\."/g;

/** The errors by the code of a failed call, which programs outside browsers get. */
const CAUSES = / {2}if \(code\.startsWith\("ERR_PROXY"\)\)[^]*?(?= {2}const isPlain)/g;

/** The operations that nobody calls with the token of a link: a scope allows them, and nothing else. */
const OF_SCOPES =
  /^ {2}\w+: \{(?: [^\n]*|\n(?: {4}[^\n]*\n)*? {4})callers: \{ scope: "[^"]+"(?:, orScope: "[^"]+")? \}(?:[^\n]* \}|,\n(?: {4}[^\n]*\n)*? {2}\}),\n/gm;

/**
 * Leaves out of the packages what the scripts of the page never call, which the bundler can't know: the age library
 * chooses among the kinds of keys when it runs. What is left out throws if it is called after all. With `isOfLinks`,
 * the scripts call only what the token of a link allows.
 */
export function withoutUnused(keys: AgeKeys, isOfLinks = false): Bun.BunPlugin {
  return {
    name: "without-unused",
    setup(build) {
      const kept = new Set<string>([...keys.flatMap((each) => CLASSES[each]), ...FUNCTIONS]);
      const gone = [...Object.values(CLASSES).flat(), ...TAGS].filter((each) => !kept.has(each));
      build.onLoad({ filter: /age-encryption[/\\]dist[/\\]index\.js$/ }, ({ path }) => {
        const isGone = new RegExp(String.raw`\bnew (?:${gone.join("|")})\(\w+\)`, "g");
        return { loader: "js", contents: replaceSome(path, isGone, "undefined") };
      });
      // The page has its own words for what went wrong.
      build.onLoad({ filter: /client[/\\]error-texts\.ts$/ }, () => {
        return { loader: "ts", contents: 'export const explain = () => ({ meaning: "", advice: "" });' };
      });
      build.onLoad({ filter: /contract[/\\]scopes\.ts$/ }, () => {
        return { loader: "ts", contents: "export const isScope = () => false;" };
      });
      build.onLoad({ filter: WITH_SENTENCES }, ({ path }) => {
        return { loader: "ts", contents: replaceSome(path, SENTENCES, '""') };
      });
      // A browser doesn't say why a call failed.
      build.onLoad({ filter: /client[/\\]network-errors\.ts$/ }, ({ path }) => {
        return { loader: "ts", contents: replaceSome(path, CAUSES, "").replaceAll(SENTENCES, '""') };
      });
      // Only the server asks who may call an operation.
      build.onLoad({ filter: /contract[/\\]operations\.ts$/ }, ({ path }) => {
        const source = isOfLinks ? replaceSome(path, OF_SCOPES, "") : readFileSync(path, "utf8");
        return { loader: "ts", contents: source.replaceAll(/\bcallers: (?:"any"|\{[^}\n]+\}),?/g, "") };
      });
      // Constants of which the page uses one, made by functions without side effects.
      build.onLoad({ filter: /post-quantum[/\\]hybrid\.js$/ }, ({ path }) => {
        return {
          loader: "js",
          contents: replaceSome(path, /(?<=[=,] )(?=(?:QSF|createKitchenSink|ecdhKem)\()/g, "/* @__PURE__ */ "),
        };
      });
    },
  };
}

/** The parts that a script loads later. */
const PARTS =
  /[/\\](?:proving[/\\]prove-address|opening[/\\](?:ask-approval|large-opening)|collecting[/\\]large-submissions|submitting[/\\](?:form-fields|large-part)|sending[/\\]large-part|large[/\\]opened-files)\.tsx?$/;

/**
 * Has those parts import the script that loads them, which has run by then. Otherwise the bundler would cut what all
 * visitors load into several files, by what a part needs of it, and these are larger together.
 */
export function withParts(script: string): Bun.BunPlugin {
  return {
    name: "with-parts",
    setup(build) {
      build.onLoad({ filter: PARTS }, ({ path }) => ({
        loader: path.endsWith("x") ? "tsx" : "ts",
        contents: `import ${JSON.stringify(script)};\n${readFileSync(path, "utf8")}`,
      }));
    },
  };
}

/** The file at `path` with every match replaced. Throws when there is none: the package has changed. */
function replaceSome(path: string, pattern: RegExp, replacement: string): string {
  const source = readFileSync(path, "utf8");
  const changed = source.replaceAll(pattern, replacement);
  if (changed === source) throw new Error(`${path} no longer has what is left out of it`);
  return changed;
}
