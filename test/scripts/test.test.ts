import { expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary.ts";

const SCRIPTS = join(import.meta.dir, "../../scripts");

/** Stands for Bun: it says its version, writes down what it is to run, and passes one test, or prints `output`. */
const BUN = `#!/bin/sh
case $1 in
  --version) echo 1.2.3 ;;
  *) echo "$TEST_ENGINE: $*" >>calls; if [ -e output ]; then cat output; exit 1; fi; echo " 1 pass" ;;
esac
`;

const OUTPUT = `test/a.test.ts:
error: this is repeated
(fail) the first [2.00ms]
(pass) the second [1.00ms]
only said

test/b.test.ts:
(pass) the third [1.00ms]

1 tests failed:
(fail) the first [2.00ms]

 2 pass
 1 fail
Ran 3 tests across 2 files. [10.00ms]
`;

const RUNS_WHAT_FOLLOWS = '#!/bin/sh\necho "$(basename "$0")" >>calls\nexec "$@"\n';

/** A repository with scripts/test and tests that nobody reads. Every other script says that it was run. */
function makeRepository(path: string): void {
  const write = (name: string, text: string) => {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), text);
    chmodSync(join(path, name), 0o755);
  };
  write(".tools/bun-1.2.3/bin/bun", BUN);
  write("package.json", JSON.stringify({ devDependencies: { bun: "1.2.3" } }));
  write("bun.lock", "lock");
  write("node_modules/.installed-bun.lock", "lock");
  for (const name of ["test-tools", "python-packages", "check", "build"]) {
    write(`scripts/${name}`, '#!/bin/sh\necho "$(basename "$0")" >>calls\n');
  }
  write("scripts/in-memory", RUNS_WHAT_FOLLOWS);
  write("test/web/page.test.ts", "");
  write("test/webhooks/calls.test.ts", "");
  write("test/domain/keys.test.ts", 'import { openTestService } from "../support/service.ts";');
  for (const name of ["admin", "open"]) write(`test/cli/${name}.test.ts`, 'from "../support/server.ts";');
  for (const name of ["test", "bootstrap"]) cpSync(join(SCRIPTS, name), join(path, "scripts", name));
}

/** Runs scripts/test. Returns its exit code, and what it had Bun and the other scripts do. */
async function runScript(path: string, ...args: readonly string[]) {
  rmSync(join(path, "calls"), { force: true });
  writeFileSync(join(path, "calls"), "");
  const child = Bun.spawn(["bash", join(path, "scripts/test"), ...args], {
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const calls = readFileSync(join(path, "calls"), "utf8").split("\n").filter(Boolean);
  return { exitCode, stdout, stderr, calls: calls.map((call) => call.replace(/--parallel=\d+/, "--parallel")) };
}

const FAST = "test --timeout 120000 --parallel --path-ignore-patterns=test/e2e/**";

test("--fast with a path runs what is there and nothing else", async () => {
  using folder = temporaryFolder();
  makeRepository(folder.path);
  const run = (...args: readonly string[]) => runScript(folder.path, "--fast", ...args);
  for (const path of ["web", "test/web", "./test/web/"]) {
    expect(await run(path)).toMatchObject({ exitCode: 0, calls: [`: ${FAST} ./test/web`] });
  }
  const one = FAST.replace("--parallel ", "");
  expect(await run("domain/keys.test.ts", "-t", "a name")).toMatchObject({
    exitCode: 0,
    calls: [`: ${one} -t a name ./test/domain/keys.test.ts`],
  });
});

test("--postgres runs what opens a service, and no client, once more in the PostgreSQL that it starts", async () => {
  using folder = temporaryFolder();
  makeRepository(folder.path);
  const { exitCode, calls } = await runScript(folder.path, "--fast", "--postgres", "cli", "domain", "web");
  const both = "./test/cli/admin.test.ts ./test/domain/keys.test.ts";
  const over = `: scripts/with-postgres.ts bun ${FAST} --pass-with-no-tests ${both}`;
  expect({ exitCode, calls }).toEqual({
    exitCode: 0,
    calls: [`: ${FAST} ./test/cli ./test/domain ./test/web`, "in-memory", over],
  });
});

test("without --fast it checks and builds first, and tests over both engines", async () => {
  using folder = temporaryFolder();
  makeRepository(folder.path);
  const { exitCode, calls } = await runScript(folder.path);
  expect(exitCode).toBe(0);
  const first = calls.findIndex((call) => call === "in-memory");
  expect(calls.slice(0, first)).toEqual(expect.arrayContaining(["test-tools", "python-packages", "check", "build"]));
  expect(calls.filter((call) => call.includes("with-postgres.ts"))).toEqual([
    expect.stringContaining("env TEST_ENGINE=sqlite bun test"),
    expect.stringContaining("bun test"),
  ]);
});

test("a path that isn't there is refused", async () => {
  using folder = temporaryFolder();
  makeRepository(folder.path);
  const { exitCode, stderr, calls } = await runScript(folder.path, "--fast", "wbe");
  expect({ exitCode, stderr, calls }).toEqual({
    exitCode: 2,
    stderr: "scripts/test: there is no 'wbe', nor below test/\n",
    calls: [],
  });
});

test("what failed is repeated at the end, with its file and what it printed", async () => {
  using folder = temporaryFolder();
  makeRepository(folder.path);
  writeFileSync(join(folder.path, "output"), OUTPUT);
  const { exitCode, stdout } = await runScript(folder.path, "--fast", "web");
  expect({ exitCode, repeated: stdout.slice(OUTPUT.length) }).toEqual({
    exitCode: 1,
    repeated: "\ntest/a.test.ts:\nerror: this is repeated\n(fail) the first [2.00ms]\n2 passed, 1 failed\n",
  });
});
