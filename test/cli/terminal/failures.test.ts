import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nothingYet } from "../../../src/cli/handovers/collections.ts";
import { tellFailure, toFailure } from "../../../src/cli/terminal/failures.ts";
import { CommandError, usageError } from "../../../src/cli/terminal/terminal.ts";
import { ClientError } from "../../../src/client/errors.ts";
import { interrupted } from "../../../src/client/network-errors.ts";
import { RequestMetadata } from "../../../src/contract/requests.ts";
import { ERROR_KINDS } from "../../../src/contract/user-errors.ts";
import type { ErrorKind } from "../../../src/contract/user-errors.ts";
import { LinkError } from "../../../src/crypto/link-faults.ts";
import { manualText } from "../../support/manual.ts";
import { temporaryFolder } from "../../support/temporary.ts";

// Scripts are written by these numbers: they never change.
const EXIT_CODES: Record<ErrorKind, number> = {
  failure: 1,
  usage: 2,
  credential: 3,
  gone: 4,
  decryption: 5,
  network: 6,
  nothing_yet: 7,
  not_text: 8,
  interrupted: 130,
};

test("a command that failed ends with the code of what it failed for", () => {
  for (const [kind, exitCode] of Object.entries(EXIT_CODES)) {
    const error = new ClientError("internal", kind as ErrorKind, "It failed.");
    expect({ kind, ...toFailure(error) }).toMatchObject({ kind, exitCode });
  }
  expect(toFailure(interrupted())).toMatchObject({ exitCode: 130, code: "interrupted" });
  expect(toFailure(usageError("Name a file."))).toMatchObject({ exitCode: 2, code: "usage" });
  expect(toFailure(new LinkError("other", "No link."))).toMatchObject({ exitCode: 2 });
  expect(toFailure(new Error("unforeseen"))).toMatchObject({ exitCode: 1 });
});

test("every kind of failure has its exit code in the manual", () => {
  const documented = [...manualText("scripts").matchAll(/^\| (\d+) +\| /gm)].map(([, code]) => Number(code));
  const codes = Object.values(ERROR_KINDS).map(({ exitCode }) => exitCode);
  expect(documented).toEqual([0, ...codes]);
});

const SECRET = "correct horse battery";
const unforeseen = () => new TypeError(`cannot read ${SECRET}\n    at ${SECRET} (/a.ts:1:2)`);

/** What standard error gets of an error. */
function said(error: unknown, env: Readonly<Record<string, string>>, isJson = false): string {
  const lines: string[] = [];
  expect(tellFailure({ env, say: (line) => void lines.push(line) }, error, { args: [], isJson })).toBe(1);
  return lines.join("\n");
}

test("of what nobody foresaw, only its kind is said, and with HANDOFF_DEBUG=1 where it happened", () => {
  const sentence = "handoff: Something went wrong (TypeError). Please report this.";
  expect(said(unforeseen(), {})).toBe(sentence);
  expect(said(unforeseen(), { HANDOFF_DEBUG: "0" })).toBe(sentence);
  const shown = said(unforeseen(), { HANDOFF_DEBUG: "1" });
  expect(shown).toStartWith(`${sentence}\nTypeError\n    at `);
  expect(shown).not.toContain(SECRET);
  const caused = new Error(SECRET, { cause: Object.assign(unforeseen(), { code: "EIO" }) });
  expect(said(caused, { HANDOFF_DEBUG: "1" })).toMatch(
    /Please report this.\nError\n(    at .*\n)+caused by TypeError \(EIO\)\n/,
  );
});

test("as JSON there is a trace only with HANDOFF_DEBUG=1, and an expected failure never has one", () => {
  const plain = {
    error: { code: "internal", message: "Something went wrong (TypeError). Please report this.", exit_code: 1 },
  };
  expect(JSON.parse(said(unforeseen(), {}, true))).toEqual(plain);
  const debugged = JSON.parse(said(unforeseen(), { HANDOFF_DEBUG: "1" }, true));
  expect(debugged).toEqual({ error: { ...plain.error, trace: expect.arrayContaining(["TypeError"]) } });
  const expected = new CommandError("No.", "failure", unforeseen());
  expect(said(expected, { HANDOFF_DEBUG: "1" })).toBe("handoff: No.");
});

/** Throws where nobody waits for it, once the program has started. */
function preload(statement: string): string {
  return `const timer = setInterval(() => {
    if (process.listenerCount("uncaughtException") === 0) return;
    clearInterval(timer);
    const error = new TypeError("${SECRET}");
    ${statement}
  }, 5);`;
}

/** Runs the program with `args`, and has `statement` run in it once it has started. */
async function runStray(folder: string, statement: string, args: readonly string[], debug: string) {
  const script = join(folder, "stray.ts");
  writeFileSync(script, preload(statement));
  const main = join(import.meta.dir, "../../../src/main.ts");
  const child = Bun.spawn([process.execPath, "--preload", script, main, ...args], {
    env: { HOME: folder, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0", HANDOFF_DEBUG: debug },
    // What waits for a link goes on waiting.
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  expect(stderr).not.toContain(SECRET);
  return { stderr, exitCode };
}

const STRAYS = ["throw error;", "void Promise.reject(error);"];

test("an error that nobody waits for ends the program with the same sentence, without its message", async () => {
  using folder = temporaryFolder();
  const sentence = "handoff: Something went wrong (TypeError). Please report this.\nTypeError\n    at ";
  for (const statement of STRAYS) {
    expect({ statement, ...(await runStray(folder.path, statement, ["open"], "1")) }).toEqual({
      statement,
      exitCode: 1,
      stderr: expect.stringContaining(sentence),
    });
  }
});

test("an error that nobody waits for ends a server with a line of its log, which says where it happened", async () => {
  using folder = temporaryFolder();
  const serve = ["serve", "--listen", "127.0.0.1:0", "--data-dir", join(folder.path, "data")];
  for (const statement of STRAYS) {
    // Nobody can have a server do the same again.
    const { exitCode, stderr } = await runStray(folder.path, statement, serve, "0");
    const lines = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect({ statement, exitCode, last: lines.at(-1) }).toEqual({
      statement,
      exitCode: 1,
      last: {
        level: "fatal",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        error: "TypeError",
        at: expect.arrayContaining([expect.stringContaining("stray.ts")]),
        msg: expect.stringContaining("Please report this"),
      },
    });
  }
});

test("the reason is said for which standard input or output can't be used", async () => {
  using folder = temporaryFolder();
  const main = `${process.execPath} ${join(import.meta.dir, "../../../src/main.ts")}`;
  const says = async (script: string) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
    const child = Bun.spawn(["bash", "-c", script], { cwd: folder.path, env, stderr: "pipe" });
    return { stderr: await child.stderr.text(), exitCode: await child.exited };
  };
  expect(await says(`trap "" XFSZ; ulimit -f 0; ${main} version > out`)).toEqual({
    exitCode: 1,
    stderr: "handoff: standard output cannot be written: EFBIG\n",
  });
  expect(await says(`${main} open < .`)).toEqual({
    exitCode: 2,
    stderr: "handoff: standard input cannot be read: it's a directory\n",
  });
});

test("asking before something is handed in ends with exit code 7 and a name, and is no failure", () => {
  const [request] = (RequestMetadata as { readonly examples?: RequestMetadata[] }).examples ?? [];
  if (!request) throw new Error("there is no example of a request");
  expect(toFailure(nothingYet(request, "Ask again later."))).toEqual({
    exitCode: 7,
    code: "nothing_handed_in",
    message: "Nothing has been handed in yet. Ask again later.",
  });
});
