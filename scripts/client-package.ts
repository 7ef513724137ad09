// Makes the package for npm, see scripts/client-package. Its dependencies are a part of its one module, in the versions
// of bun.lock: nothing else is resolved or run where it is installed.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packTar } from "modern-tar";
import ts from "typescript";
import rootPackage from "../package.json" with { type: "json" };

const ROOT = resolve(import.meta.dir, "..");
const FACE = join(ROOT, "src/client/package");
const NAME = "handoff-client";
// The same for every archive. tar complains about 1970.
const MODIFIED_AT = new Date("2000-01-01T00:00:00Z");

const MANIFEST = {
  name: NAME,
  version: rootPackage.version,
  description: "Send, open and ask for secrets on a handoff server, encrypted end to end.",
  license: "SEE LICENSE IN LICENSE",
  type: "module",
  sideEffects: false,
  // AbortSignal.any is missing before.
  engines: { node: ">=20.3" },
  types: `./${NAME}.d.ts`,
  exports: { ".": { types: `./${NAME}.d.ts`, default: `./${NAME}.js` }, "./package.json": "./package.json" },
};

/** The module with all that it imports, and the folders of the packages in it. */
async function bundle(): Promise<{ readonly code: string; readonly packages: readonly string[] }> {
  const built = await Bun.build({
    entrypoints: [join(FACE, `${NAME}.ts`)],
    root: ROOT,
    target: "browser",
    format: "esm",
    metafile: true,
  });
  const [output, ...others] = built.outputs;
  if (!output || others.length > 0) throw new Error("the client is not one module");
  const inputs = Object.values(built.metafile?.outputs ?? {}).flatMap((each) => Object.keys(each.inputs));
  const packages = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return { code: await output.text(), packages: [...new Set(packages)].toSorted() };
}

/** The declarations of the public face as one file. Throws when one of them is made of what isn't public. */
function declare(): string {
  const files = readdirSync(FACE).filter((name) => name.endsWith(".ts"));
  const parts = files.toSorted().flatMap((name) => {
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(join(FACE, name), "utf8"), {
      fileName: name,
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ESNext, isolatedDeclarations: true, stripInternal: true },
    });
    if (diagnostics.length > 0) throw new Error(`${name} has exports without types`);
    const source = ts.createSourceFile(name, outputText, ts.ScriptTarget.ESNext);
    return source.statements.flatMap((statement) => {
      const from = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
      if (!from) return [outputText.slice(statement.getFullStart(), statement.end).trim()];
      const { moduleSpecifier } = statement;
      const isOwn =
        !moduleSpecifier || (ts.isStringLiteral(moduleSpecifier) && /^\.\/[a-z-]+\.ts$/.test(moduleSpecifier.text));
      if (!isOwn) throw new Error(`the types in ${name} need ${moduleSpecifier.getText(source)}`);
      return [];
    });
  });
  // Without it, all declarations of the file would be exported.
  return `${[...parts, "export {};"].join("\n\n")}\n`;
}

/** The license of the package, and those of the packages in it. */
function describeLicenses(packages: readonly string[]): string {
  const licenses = packages.map((folder) => {
    const name = readdirSync(folder).find((each) => /^licen[cs]e(\.(md|txt))?$/i.test(each));
    if (name === undefined) throw new Error(`${folder} has no license`);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly version: string };
    const title = `${folder.split("node_modules/").at(-1)} ${version}`;
    return `${title}\n\n${readFileSync(join(folder, name), "utf8").trim()}\n`;
  });
  const own = `${NAME} ${rootPackage.version}: all rights reserved.\n\nIt includes these packages:\n`;
  return [own, ...licenses].join(`\n${"-".repeat(78)}\n\n`);
}

const [directory = ""] = process.argv.slice(2);
const { code, packages } = await bundle();
const files: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify(MANIFEST, undefined, 2)}\n`,
  "README.md": readFileSync(join(FACE, "README.md"), "utf8"),
  LICENSE: describeLicenses(packages.map((each) => resolve(each))),
  [`${NAME}.d.ts`]: declare(),
  [`${NAME}.js`]: code,
};
const archive = await packTar(
  Object.entries(files).map(([name, text]) => {
    const body = new TextEncoder().encode(text);
    return {
      header: { name: `package/${name}`, size: body.length, type: "file", mode: 0o644, mtime: MODIFIED_AT },
      body,
    };
  }),
);
const path = join(directory, `${NAME}-${rootPackage.version}.tgz`);
mkdirSync(directory, { recursive: true });
await Bun.write(path, Bun.gzipSync(new Uint8Array(archive), { level: 9 }));
console.log(path);
