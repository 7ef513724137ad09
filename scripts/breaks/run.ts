import { symlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { BREAKS } from "./all.ts";
import type { Break } from "./break.ts";

const ROOT = join(import.meta.dir, "../..");
/** A break may make a test wait for something that never happens. Without a break, all tests run at once. */
const BROKEN_TIMEOUT_MS = 180_000;
const UNBROKEN_TIMEOUT_MS = 1_200_000;

/** The verdict of the tests on a break. */
type Verdict =
  | { readonly kind: "killed"; readonly by: string }
  | { readonly kind: "survived" }
  /** The break is invalid: its pattern isn't in the code once, or the changed code doesn't run. */
  | { readonly kind: "useless"; readonly why: string };

/**
 * Copies the files of `ROOT` that git tracks or would add, with their changes, into `folder`, and links the installed
 * packages.
 */
async function copyTo(folder: string): Promise<void> {
  const { stdout } = Bun.spawnSync(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  for (const path of stdout.toString().split("\0")) {
    if (path !== "" && (await Bun.file(join(ROOT, path)).exists())) await cp(join(ROOT, path), join(folder, path));
  }
  for (const installed of ["node_modules", ".tools"]) symlinkSync(join(ROOT, installed), join(folder, installed));
}

/** Runs test files in `folder` until one test fails. Returns the names of the failed tests, and the whole output. */
async function runTests(folder: string, tests: readonly string[], timeout = BROKEN_TIMEOUT_MS) {
  const child = Bun.spawn([process.execPath, "test", "--timeout", "30000", "--bail", ...tests], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
    timeout,
    killSignal: "SIGKILL",
  });
  const [out, err, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const said = out + err;
  const failed = said.split("\n").filter((line) => line.startsWith("(fail) "));
  return { isGreen: exitCode === 0, isTimeout: child.signalCode !== null, failed, said };
}

async function judge(folder: string, { file, find, replace, tests }: Break): Promise<Verdict> {
  const path = join(folder, file);
  const before = await Bun.file(path).text();
  const found = before.split(find).length - 1;
  if (found !== 1) return { kind: "useless", why: `what it replaces is ${found} times in ${file}` };
  await Bun.write(
    path,
    before.replace(find, () => replace),
  );
  try {
    const { isGreen, isTimeout, failed, said } = await runTests(folder, tests);
    if (isGreen) return { kind: "survived" };
    const [first] = failed;
    if (first !== undefined) return { kind: "killed", by: first.slice("(fail) ".length) };
    return isTimeout ? { kind: "killed", by: "a test that never ends" } : { kind: "useless", why: said.slice(-500) };
  } finally {
    await Bun.write(path, before);
  }
}

async function main(words: readonly string[]): Promise<boolean> {
  const chosen = BREAKS.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)));
  if (chosen.length === 0) throw new Error("no break has one of these words");
  using folder = temporaryFolder();
  await copyTo(folder.path);
  const tests = [...new Set(chosen.flatMap((each) => each.tests))];
  const { isGreen, said } = await runTests(folder.path, tests, UNBROKEN_TIMEOUT_MS);
  if (!isGreen) throw new Error(`the tests fail before anything is broken:\n${said.slice(-2000)}`);
  let unnoticed = 0;
  for (const each of chosen) {
    const start = performance.now();
    const verdict = await judge(folder.path, each);
    const seconds = Math.round((performance.now() - start) / 1000);
    const because = verdict.kind === "killed" ? verdict.by : verdict.kind === "useless" ? verdict.why : each.file;
    console.log(`${verdict.kind.padEnd(8)} ${String(seconds).padStart(3)} s  ${each.what}: ${because}`);
    if (verdict.kind !== "killed") unnoticed++;
  }
  console.log(`${chosen.length - unnoticed} of ${chosen.length} breaks were noticed`);
  return unnoticed === 0;
}

const args = process.argv.slice(2);
if (args.includes("--list")) for (const { what } of BREAKS) console.log(what);
else if (!(await main(args))) process.exit(1);
