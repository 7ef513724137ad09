import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { exampleId } from "../../src/contract/ids.ts";
import vectors from "../../src/crypto/vectors.json" with { type: "json" };
import { PAGE_TEST_MS, startBrowser } from "../support/browsers.ts";
import { errorOf } from "../support/clients.ts";
import { programIn } from "../support/manual-programs.ts";
import { runTool } from "../support/openapi.ts";
import { press, readText } from "../support/page-visits.ts";
import { openPlace } from "../support/people.ts";
import type { Person } from "../support/people.ts";
import { temporaryFolder } from "../support/temporary.ts";

const ROOT = join(import.meta.dir, "../..");
const SECRET = "fake-local-test-only: pä55wörd ✓";
const GO = Bun.which("go");

const folder = temporaryFolder();
const browser = await startBrowser();
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function must(command: readonly string[], cwd = folder.path, environment: Record<string, string> = {}) {
  const { exitCode, stdout, output } = await runTool(command, cwd, environment);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${output}`);
  return stdout.trim();
}

/** Runs `command` as `person`, with `stdin`. Resolves with standard output. Throws when it fails. */
async function pipe(person: Person, command: readonly string[], stdin: string, passphrase?: string): Promise<string> {
  const env = { ...person.env, ...(passphrase !== undefined && { HANDOFF_PASSPHRASE: passphrase }) };
  const child = Bun.spawn([...command], {
    cwd: person.home,
    env,
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${stderr}`);
  return stdout;
}

/** Hands text over from `client` to the page and the command line, and back. */
async function handOver(client: readonly string[]): Promise<void> {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const send = async () => (await pipe(ann, [...client, "send"], SECRET)).trim();
  const open = ["open", "--yes"];
  const opened = await ann.run(open, { stdin: await send() });
  expect(Buffer.from(opened.stdout, "latin1").toString()).toBe(SECRET);

  const { page, complaints } = await browser.open();
  await page.goto(await send());
  await press(page, "Open secret");
  expect(await readText(page)).toBe(SECRET);
  expect(complaints).toEqual([]);

  const link = await ann.must(["send"], { stdin: SECRET });
  expect(await pipe(ann, [...client, "open"], link)).toBe(SECRET);
  const again = await ann.run(open, { stdin: link });
  // It has acknowledged the claim, so nothing waits.
  expect(again.exitCode).toBe(4);
}

/** A program that says what the client in Python makes of the vectors. */
const OF_VECTORS = `import base64, json, sys, handoff, pyrage
vectors = json.load(open(sys.argv[1]))
def seed(text): return base64.urlsafe_b64decode(text + "==")
derived = [dict(zip(("claimToken", "agePassphrase"), handoff.keys(seed(each["seed"]), None))) for each in vectors["derivations"]]
opened = []
for each in vectors["envelopes"]:
    data = base64.urlsafe_b64decode(each["envelope"]["ciphertext"] + "===")
    if "seed" in each: opened.append(pyrage.passphrase.decrypt(data, handoff.keys(seed(each["seed"]), each["passphrase"])[1]))
    elif not each["ageIdentity"].startswith("AGE-SECRET-KEY-PQ-"): opened.append(pyrage.decrypt(data, [pyrage.x25519.Identity.from_str(each["ageIdentity"])]))
print(json.dumps({"derived": derived, "texts": [each.decode() for each in opened if b"\\0" not in each]}))
`;

let python: readonly string[] = [];
beforeAll(async () => {
  const program = await must([join(ROOT, "scripts/python-packages"), "python-clients"], ROOT);
  await Bun.write(join(folder.path, "handoff.py"), programIn("clients.md", "python"));
  python = [program, "-B", join(folder.path, "handoff.py")];
}, PAGE_TEST_MS);

test(
  "the client in Python makes links that the page and the command line open, and opens theirs",
  async () => {
    await handOver(python);
  },
  PAGE_TEST_MS,
);

test("the client in Python makes and opens links with a passphrase", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const [passphrase, typed] = ["correct horse", "ｃｏｒｒｅｃｔ horse"];
  await Bun.write(join(ann.home, "pass"), typed);
  const link = (await pipe(ann, [...python, "send"], "hunter2", passphrase)).trim();
  expect(link).toContain("#1p.");
  expect(await ann.must(["open", "--yes", "--passphrase-file", "pass"], { stdin: link })).toBe("hunter2");
  const sent = await ann.must(["send", "--passphrase-file", "pass"], { stdin: "hunter2" });
  expect(String(await errorOf(pipe(ann, [...python, "open"], sent)))).toContain("needs a passphrase too");
  expect(await pipe(ann, [...python, "open"], sent, passphrase)).toBe("hunter2");
  const another = await ann.must(["send", "--passphrase-file", "pass"], { stdin: "hunter2" });
  expect(String(await errorOf(pipe(ann, [...python, "open"], another, "wrong")))).toEndWith(
    "ended with 1: the passphrase is wrong, or the secret is damaged\n",
  );
});

/** A link that looks as if it led to this machine. */
const DISGUISED = `http://localhost:80@evil.invalid/s/${exampleId("secret")}#1.${"A".repeat(22)}`;

test("the client in Python sends no credential in clear, and says what is wrong with a link", async () => {
  await using place = await openPlace();
  const calls: string[] = [];
  using proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      calls.push(url);
      return new Response("", { status: 502 });
    },
  });
  const ann = await place.member("ann");
  const person = { ...ann, env: { ...ann.env, http_proxy: proxy.url.origin } };
  const link = (await pipe(person, [...python, "send"], "hunter2")).trim();
  const seedOfAnother = link.replace(/#1\..{22}/, `#1.${"A".repeat(22)}`);
  for (const [wrong, says] of [
    [DISGUISED, "anyone on the way"],
    [link.replace(place.server.url, "http://localhost.example"), "anyone on the way"],
    [link.replace(place.server.url, "http://[localhost"), "the call failed"],
    [link.slice(0, -25), "isn't a whole link"],
    [seedOfAnother, "HTTP Error 401"],
  ] as const) {
    const error = String(await errorOf(pipe(person, [...python, "open"], wrong)));
    expect(error).toContain(says);
    expect(error).not.toContain("Traceback");
  }
  expect(await pipe(person, [...python, "open"], link)).toBe("hunter2");
  expect(calls).toEqual([]);
});

test("the client in Python derives and opens what the vectors say", async () => {
  await Bun.write(join(folder.path, "vectors.py"), OF_VECTORS);
  const [program = ""] = python;
  const printed = await must([program, "-B", "vectors.py", join(ROOT, "src/crypto/vectors.json")]);
  const { derived, texts } = JSON.parse(printed);
  expect(derived).toEqual(vectors.derivations.map(({ claimToken, agePassphrase }) => ({ claimToken, agePassphrase })));
  // By link, by link and passphrase, and to the X25519 recipient of a request: pyrage knows no hybrid ones.
  const text = vectors.envelopes[0]?.content.text;
  expect(texts).toEqual([text, text, text]);
});

// Debian's Go is older than the one that age needs, so it isn't among the programs that scripts/test installs.
test.skipIf(GO === null)(
  "the client in Go makes links that the page and the command line open, and opens theirs",
  async () => {
    const home = join(folder.path, "go");
    mkdirSync(home);
    await Bun.write(join(home, "main.go"), programIn("clients-go.md", "go"));
    const env = { HOME: process.env["HOME"] ?? "", GOFLAGS: "-buildvcs=false" };
    for (const args of [
      ["mod", "init", "example"],
      ["get", "filippo.io/age@v1.3.2"],
      ["vet", "."],
      ["build", "-o", "client", "."],
    ]) {
      await must([GO ?? "", ...args], home, env);
    }
    await handOver([join(home, "client")]);
    await using place = await openPlace();
    const opening = pipe(await place.member("ann"), [join(home, "client"), "open"], DISGUISED);
    expect(String(await errorOf(opening))).toContain("anyone on the way");
  },
  PAGE_TEST_MS,
);
