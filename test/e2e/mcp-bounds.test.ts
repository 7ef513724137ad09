import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sealSecret } from "../../src/client/sends.ts";
import { formatSecretLink } from "../../src/crypto/secret-links.ts";
import { startAgent } from "../support/agents.ts";
import { jsonOf } from "../support/executions.ts";
import { shareServer } from "../support/people.ts";
import { until } from "../support/polls.ts";

const openPlace = shareServer();

const SCOPES = ["secrets:create", "secrets:read", "requests:create", "requests:read", "secrets:claim"];
const SECRET = "pä55 wörd-7391!";

test("a file with a meaning to programs is not created, and without a path it gets its own directory", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  await using agent = await startAgent(ann);
  const link = await ann.must(["send"], { stdin: SECRET });
  mkdirSync(join(ann.home, "node_modules"));
  for (const path of [
    "conftest.py",
    "AGENTS.md",
    "Makefile",
    "Kbuild",
    "package.json",
    "node_modules/x.key",
    "./deploy.sh",
  ]) {
    expect({ path, said: await agent.refusal("open_to_file", { url: link, path }) }).toEqual({
      path,
      said: expect.stringMatching(
        /^'.*' can't be made from what somebody sent: what has this name or place can be .*\. Name/,
      ),
    });
  }
  expect(await ann.must(["status", link])).toStartWith("waiting");
  const [id = ""] = /sec_\w+/.exec(link) ?? [];
  const written = join(ann.home, id, "secret");
  expect(await agent.must("open_to_file", { url: link })).toMatchObject({ path: written, format: "file" });
  expect(readFileSync(written, "utf8")).toBe(SECRET);
  expect([statSync(written).mode & 0o777, statSync(join(ann.home, id)).mode & 0o777]).toEqual([0o600, 0o700]);
  // The file gets a fixed name, not the sender's.
  for (const name of ["conftest.py", "other"]) await Bun.write(join(ann.home, "in", name), "content");
  for (const [files, name] of [
    [["in/conftest.py"], "secret"],
    [["in/conftest.py", "in/other"], "secret.tar"],
  ] as const) {
    const more = await ann.must(["send", ...files]);
    const { path } = await agent.must("open_to_file", { url: more });
    expect(path).toBe(join(ann.home, /sec_\w+/.exec(more)?.[0] ?? "", name));
  }
  const thrice = await ann.must(["send", "--claims", "3"], { stdin: SECRET });
  for (const path of ["notes.txt", "config.json", "got.txt"]) {
    expect(await agent.must("open_to_file", { url: thrice, path })).toMatchObject({ path: join(ann.home, path) });
    expect(readFileSync(join(ann.home, path), "utf8")).toBe(SECRET);
  }
  const asked = await agent.must("request_secret", {});
  await place.person("bob").must(["submit", asked.url], { stdin: SECRET });
  const { path } = await agent.must("collect_to_file", { request_id: asked.id });
  expect(path).toMatch(/\/sec_[0-9a-v]{26}\/secret$/);
}, 60_000);

test("an empty text is neither sent nor put into the environment of a command", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  await using agent = await startAgent(ann, ["--allow-run", "--allow-plaintext"]);
  for (const text of ["\n", "\r\n\n"]) {
    expect(await agent.refusal("send_text", { text })).toBe("The text is empty, so nothing was sent.");
  }
  const { seed, envelope, claimTokenHash } = await sealSecret(new TextEncoder().encode("\n"), undefined);
  const token = ann.env["HANDOFF_API_KEY"] ?? "";
  const { id } = await jsonOf(
    fetch(`${place.server.url}/api/v1/secrets?claim_token_hash=${claimTokenHash}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ envelope }),
    }),
  );
  const url = formatSecretLink({ baseUrl: place.server.url, id, seed, needsPassphrase: false });
  const said = await agent.refusal("run_with_secret", { env: { PASSWORD: url }, command: ["touch", "started"] });
  expect(said).toContain("The secret for PASSWORD is an empty text. Call open_to_file");
  expect(existsSync(join(ann.home, "started"))).toBe(false);
}, 60_000);

test("for a link that was opened before, the error says what an earlier call did with it", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  await using agent = await startAgent(ann, ["--allow-run", "--allow-plaintext"]);
  const uses: [tool: string, input: (url: string) => Record<string, unknown>, destination: string][] = [
    ["open_to_file", (url) => ({ url, path: "new.key" }), `into '${join(ann.home, "new.key")}'`],
    ["open_as_text", (url) => ({ url }), "into the conversation"],
    ["run_with_secret", (url) => ({ env: { A: url }, command: ["true"] }), "for a command"],
  ];
  for (const [tool, input, destination] of uses) {
    const url = await ann.must(["send"], { stdin: SECRET });
    await agent.must(tool, input(url));
    const said = await agent.refusal("open_to_file", { url, path: "other.key" });
    expect(said).toMatch(/^An earlier call opened this secret at \d\d:\d\d/);
    expect(said).toEndWith(`, ${destination}. It can't be opened again.`);
  }
  // A secret opened by somebody else is reported as usual.
  const url = await ann.must(["send"], { stdin: SECRET });
  await place.person("bob").must(["open", "--yes"], { stdin: url });
  expect(await agent.refusal("open_to_file", { url, path: "other.key" })).toContain("If that wasn't you");
}, 60_000);

/** The processes with this in their environment. */
function processesWith(text: string): string[] {
  return readdirSync("/proc").filter((id) => /^\d+$/.test(id) && readProc(`${id}/environ`).includes(text));
}

function childrenOf(id: number): string[] {
  return readProc(`${id}/task/${id}/children`).split(" ").filter(Boolean);
}

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

test("a command ends with its adapter, however that ends, and nothing keeps running", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", SCOPES);
  const secret = crypto.randomUUID();
  await using agent = await startAgent(ann, ["--allow-run"]);
  const run = async (script: string) => {
    const env = { A: await ann.must(["send"], { stdin: secret }) };
    return agent.client.callTool({ name: "run_with_secret", arguments: { env, command: ["sh", "-c", script] } });
  };
  expect(await run("exit 3")).toMatchObject({ structuredContent: { exit_code: 3 } });
  await until(() => childrenOf(agent.pid).length === 0, 20);

  // One ignores signals, and one has its own session.
  const call = run("trap '' TERM HUP INT; setsid -f sleep 61; touch began; sleep 62; sleep 63").catch(() => "cut");
  await until(() => existsSync(join(ann.home, "began")), 20);
  const children = childrenOf(agent.pid);
  expect(children.length).toBeGreaterThan(1);
  expect(processesWith(secret).length).toBeGreaterThan(1);
  process.kill(agent.pid, "SIGKILL");
  expect(await call).toBe("cut");
  const left = () => children.filter((id) => readProc(`${id}/cmdline`) !== "");
  while (processesWith(secret).length > 0 || left().length > 0) await Bun.sleep(20);
}, 30_000);
