import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { FACTS, findCircles, findViolations, ROOMS } from "./support/architecture.ts";
import { findImports } from "./support/imports.ts";

const ROOT = join(import.meta.dir, "..");
const files = [...new Bun.Glob("src/**/*.{ts,tsx}").scanSync(ROOT)]
  .filter((path) => !path.endsWith(".d.ts"))
  .toSorted();
const sourceOf = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("every file imports only what its room may import", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((path) => findViolations(path, sourceOf(path)))).toEqual([]);
});

test("the server half cannot import cryptography, nor the client half", () => {
  for (const room of ["http", "domain", "store"]) {
    for (const forbidden of ["crypto", "client", "web", "mcp"]) {
      expect(ROOMS[room]?.rooms).not.toContain(forbidden);
      expect(findViolations(`src/${room}/a.ts`, `import "../${forbidden}/b.ts"`)).toHaveLength(1);
    }
    for (const forbidden of ["age-encryption", "node:crypto", "crypto"]) {
      expect(findViolations(`src/${room}/a.ts`, `import "${forbidden}"`)).toHaveLength(1);
    }
  }
});

test("the client half cannot import the server half", () => {
  for (const room of ["client", "web", "mcp"]) {
    for (const forbidden of ["http", "domain", "store"]) {
      expect(findViolations(`src/${room}/a.ts`, `import "../${forbidden}/b.ts"`)).toHaveLength(1);
    }
  }
});

test("facts of the contract have no schemas, so that the page may import them", () => {
  for (const path of FACTS) {
    const imports = findImports(sourceOf(path)).filter(({ typeOnly }) => !typeOnly);
    const targets = imports.map(({ specifier = "" }) => normalize(join(dirname(path), specifier)));
    expect({ path, others: targets.filter((each) => !FACTS.includes(each)) }).toEqual({ path, others: [] });
  }
  expect(findViolations("src/web/pages/a.tsx", 'import { X } from "../../contract/limits.ts"')).toEqual([]);
  expect(findViolations("src/web/pages/a.tsx", 'import { X } from "../../contract/secrets.ts"')).toHaveLength(1);
});

test("inside a house a room imports what is below it, and nothing above or beside it", () => {
  const check = (path: string, specifier: string) => findViolations(path, `import type { X } from "${specifier}"`);
  expect(check("src/http/pages/a.ts", "../gate/b.ts")).toEqual([]);
  expect(check("src/http/gate/a.ts", "./b.ts")).toEqual([]);
  expect(check("src/http/gate/a.ts", "../resources/b.ts")).toHaveLength(1);
  expect(check("src/http/gate/a.ts", "../app.ts")).toHaveLength(1);
  expect(check("src/web/asking/a.ts", "../sending/b.ts")).toHaveLength(1);
  expect(check("src/domain/ports/a.ts", "../b.ts")).toHaveLength(1);
  expect(check("src/store/sqlite/a.ts", "./b.ts")).toEqual([]);
  expect(check("src/store/sqlite/engine/a.ts", "../b.ts")).toHaveLength(1);
  expect(check("src/cli/terminal/a.ts", "../files/b.ts")).toHaveLength(1);
  expect(() => check("src/cli/new-room/a.ts", "../terminal/b.ts")).toThrow("no floor");
});

test("a folder of more than 26 files has rooms", () => {
  const folders = Map.groupBy(files, (path) => path.slice(0, path.lastIndexOf("/")));
  const crowded = [...folders].filter(([, inside]) => inside.length > 26);
  expect(crowded.map(([folder]) => folder)).toEqual([]);
});

const FORMS = [
  'import x from "SPECIFIER";',
  'import { type X } from "SPECIFIER";',
  'import type { X } from "SPECIFIER";',
  'import * as x from "SPECIFIER";',
  'import "SPECIFIER";',
  'export * from "SPECIFIER";',
  'export type { X } from "SPECIFIER";',
  'const x = await import("SPECIFIER");',
  "const x = await import(`SPECIFIER`);",
  'const x = require("SPECIFIER");',
  'import x = require("SPECIFIER");',
  'type X = import("SPECIFIER").X;',
  'import x from "SPECIFIER" with { type: "file" };',
];

test("no form of import goes unseen", () => {
  for (const form of FORMS) {
    const check = (specifier: string) => findViolations("src/http/app.ts", form.replace("SPECIFIER", specifier));
    expect({ form, foreign: check("../crypto/b.ts") }).toEqual({ form, foreign: [expect.stringContaining("crypto")] });
    expect({ form, unknown: check("left-pad") }).toEqual({ form, unknown: [expect.stringContaining("left-pad")] });
    expect({ form, own: check("./gate/b.ts"), allowed: check("../domain/b.ts") }).toEqual({
      form,
      own: [],
      allowed: [],
    });
  }
  expect(findViolations("src/http/app.ts", "await import(name)")).toHaveLength(1);
  expect(findViolations("src/web/a.ts", 'import type { X } from "../contract/b.ts"')).toEqual([]);
  expect(findViolations("src/web/a.ts", 'import { X } from "../contract/b.ts"')).toHaveLength(1);
  expect(findViolations("src/utils/a.ts", "")).toEqual(["src/utils/a.ts is in no room"]);
  expect(findViolations("src/http/app.ts", 'import x from "../../test/support/b.ts"')).toHaveLength(1);
});

test("no file imports itself through others, not even a type or only when it is needed", () => {
  const importsOf = (path: string) =>
    findImports(sourceOf(path)).map(({ specifier = "" }) => normalize(join(dirname(path), specifier)));
  expect(findCircles(new Map(files.map((path) => [path, importsOf(path)])))).toEqual([]);
  const circle = { "a.ts": ["b.ts", "d.ts"], "b.ts": ["c.ts"], "c.ts": ["b.ts", "d.ts"], "d.ts": [], "e.ts": ["e.ts"] };
  expect(findCircles(new Map(Object.entries(circle)))).toEqual(["b.ts", "c.ts", "e.ts"]);
});

test("file names say what is in them, and no file is longer than a room should be", () => {
  const badNames = files.filter((path) => !/^src\/([a-z0-9-]+\/)*[a-z0-9-]+\.tsx?$/.test(path));
  const vague = files.filter((path) => /(^|[/-])(utils?|helpers?|common|misc|index)(\.|-|\/)/.test(path));
  const long = files.filter((path) => sourceOf(path).split("\n").length > 350);
  expect({ badNames, vague, long }).toEqual({ badNames: [], vague: [], long: [] });
});

test("no test beside test/e2e needs the executable or the browser: scripts/test --fast runs without them", () => {
  const tests = [...new Bun.Glob("test/**/*.{ts,tsx}").scanSync(ROOT)];
  const known = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    const imports =
      known.get(path) ??
      findImports(sourceOf(path)).flatMap(({ specifier }) =>
        specifier?.startsWith(".") ? [normalize(join(dirname(path), specifier))] : [],
      );
    known.set(path, imports);
    return imports;
  };
  const reach = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path) || !path.startsWith("test/")) return seen;
    seen.add(path);
    for (const next of importsOf(path)) reach(next, seen);
    return seen;
  };
  const slow = ["test/support/executable.ts", "test/support/browsers.ts"];
  const needing = tests.filter((path) => path.endsWith(".test.ts") && slow.some((each) => reach(path).has(each)));
  expect(needing.length).toBeGreaterThan(10);
  expect(needing.filter((path) => !path.startsWith("test/e2e/"))).toEqual([]);
});

test("only main ends the process or listens to signals", () => {
  // A negative number is a group of processes that was started here; "exit" is no signal, but an end that main has
  // decided.
  const offenders = files.filter(
    (path) =>
      path !== "src/main.ts" && /process\.(exit\b|on\((?!"exit")|once\(|abort\(|kill\((?!-))/.test(sourceOf(path)),
  );
  expect(offenders).toEqual([]);
});

test("what serves has nothing of the client half in it", async () => {
  const built = await Bun.build({
    entrypoints: [join(ROOT, "src/cli/server/serve.ts")],
    target: "bun",
    metafile: true,
  });
  expect(built.success).toBe(true);
  const inputs = Object.keys(built.metafile?.inputs ?? {});
  expect(inputs.some((path) => path.endsWith("src/http/app.ts"))).toBe(true);
  expect(inputs.filter((path) => /src\/(crypto|client|web|mcp)\/|age-encryption/.test(path))).toEqual([]);
});

test("the page has nothing of the server half in it", async () => {
  for (const entry of ["home", "secret", "request", "collect"]
    .map((kind) => `entries/${kind}.tsx`)
    .concat(
      ["worker", "opening-worker", "submitting-worker"].map((each) => `browser/${each}.ts`),
      "large/large-opening-worker.ts",
      "composing/large/large-sending-worker.ts",
    )) {
    const built = await Bun.build({
      entrypoints: [join(ROOT, "src/web", entry)],
      target: "browser",
      splitting: true,
      metafile: true,
    });
    expect(built.success).toBe(true);
    // Of what was read, what is left of it in the end: types and unused schemas are not.
    const outputs = Object.values(built.metafile?.outputs ?? {});
    const parts = outputs.flatMap(({ inputs }) =>
      Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
    );
    const paths = parts.map(([path]) => path);
    expect(paths.some((path) => path.endsWith(`src/web/${entry}`))).toBe(true);
    expect(
      paths.filter((path) => /src\/(http|domain|store|config|cli|mcp)\/|elysia|drizzle|typebox/.test(path)),
    ).toEqual([]);
  }
});
