import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGES, readComponents } from "../../../../src/cli/server/components/components.ts";
import { temporaryFolder } from "../../../support/temporary.ts";
import { runHere } from "../../../support/terminals.ts";

const ROOT = join(import.meta.dir, "../../../..");
const PROGRAM = ["src/main.ts", "src/store/sqlite/assembly/writer-thread.ts", "src/http/pages/docs-bundle.ts"];
const PAGE = ["src/web/browser/worker.ts", ...new Bun.Glob("src/web/entries/*.{ts,tsx}").scanSync(ROOT)];

/** The packages of which the bundler takes something for these entries, as their paths below `node_modules`. */
function bundledPackages(target: string, entries: readonly string[]): string[] {
  using folder = temporaryFolder();
  const description = join(folder.path, "description.json");
  const options = [`--target=${target}`, "--minify", "--splitting", `--outdir=${folder.path}`];
  const { stderr, success } = Bun.spawnSync(
    [process.execPath, "build", ...entries, ...options, `--metafile=${description}`],
    { cwd: ROOT },
  );
  if (!success) throw new Error(stderr.toString());
  const { outputs } = JSON.parse(readFileSync(description, "utf8")) as {
    outputs: Readonly<Record<string, { inputs: Readonly<Record<string, unknown>> }>>;
  };
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((path) => /^node_modules\/(.*?node_modules\/)*((@[^/]+\/)?[^/]+)/.exec(path)?.[0] ?? []);
}

test("the packages that are named as components are those that are bundled, each with a license", () => {
  const bundled = new Set([...bundledPackages("bun", PROGRAM), ...bundledPackages("browser", PAGE)]);
  expect([...bundled].toSorted()).toEqual(PACKAGES.map((path) => `node_modules/${path}`).toSorted());
});

test("'version --licenses' prints every component, and the terms it comes under", async () => {
  const { stdout, exitCode } = await runHere(["version", "--licenses"], {});
  expect(exitCode).toBe(0);
  const components = readComponents();
  expect(components.length).toBeGreaterThan(40);
  for (const { name, version, license, texts } of components) {
    expect(stdout).toContain(`  ${name} ${version}: ${license}\n`);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(stdout).toContain(text);
  }
  expect(stdout.split("GNU LESSER GENERAL PUBLIC LICENSE\n")).toHaveLength(3);
});

test("'version' prints one thing at a time", async () => {
  const { stderr, exitCode } = await runHere(["version", "--licenses", "--json"], {});
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--json and --licenses exclude each other");
});
