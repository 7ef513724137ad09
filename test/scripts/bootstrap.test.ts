import { expect, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary.ts";

/** Stands for Bun: it says its version, and what it installs is an empty folder, so that no network is needed. */
const BUN = `#!/bin/sh
case $1 in
  --version) echo 1.2.3 ;;
  install) mkdir -p node_modules/from-lock ;;
esac
`;

/** A repository with nothing in it but what scripts/bootstrap looks at. */
function makeRepository(path: string): void {
  const programs = join(path, ".tools/bun-1.2.3/bin");
  for (const folder of [programs, join(path, "scripts")]) mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dir, "../../scripts/bootstrap"), join(path, "scripts/bootstrap"));
  writeFileSync(join(programs, "bun"), BUN);
  chmodSync(join(programs, "bun"), 0o755);
  writeFileSync(join(path, "package.json"), JSON.stringify({ devDependencies: { bun: "1.2.3" } }));
  writeFileSync(join(path, "bun.lock"), "first");
}

/** Runs scripts/bootstrap. Returns what it says. */
async function bootstrap(path: string): Promise<string> {
  const run = Bun.spawn(["bash", join(path, "scripts/bootstrap")], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await run.stderr.text();
  expect(await run.exited).toBe(0);
  return said;
}

test("dependencies are installed once, and again when bun.lock changes", async () => {
  using folder = temporaryFolder();
  makeRepository(folder.path);
  const modules = join(folder.path, "node_modules");
  expect(await bootstrap(folder.path)).toBe("scripts: installing dependencies from bun.lock\n");
  expect(existsSync(join(modules, "from-lock"))).toBe(true);
  expect(await bootstrap(folder.path)).toBe("");
  writeFileSync(join(folder.path, "bun.lock"), "second");
  writeFileSync(join(modules, "mine"), "");
  expect(await bootstrap(folder.path)).toBe("scripts: installing dependencies from bun.lock\n");
  expect(existsSync(join(modules, "mine"))).toBe(true);
  expect(await bootstrap(folder.path)).toBe("");
});

test("a node_modules that npm made, or that nobody knows who made, is made anew", async () => {
  for (const isFrom of ["npm after Bun", "npm", "nobody knows"]) {
    using folder = temporaryFolder();
    makeRepository(folder.path);
    const modules = join(folder.path, "node_modules");
    if (isFrom === "npm after Bun") await bootstrap(folder.path);
    mkdirSync(join(modules, "foreign/node_modules/second-copy"), { recursive: true });
    if (isFrom !== "nobody knows") writeFileSync(join(modules, ".package-lock.json"), "{}");
    expect(await bootstrap(folder.path)).toContain("node_modules does not come from bun.lock");
    expect({
      isFrom,
      foreign: existsSync(join(modules, "foreign")),
      own: existsSync(join(modules, "from-lock")),
    }).toEqual({
      isFrom,
      foreign: false,
      own: true,
    });
    expect(await bootstrap(folder.path)).toBe("");
  }
});
