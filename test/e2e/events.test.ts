import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { openStream } from "../support/event-streams.ts";
import { handoffCommand } from "../support/executable.ts";
import { apiOf, jsonOf, mintKey, runExecutable, UNLIMITED } from "../support/executions.ts";
import { manualBlock } from "../support/manual.ts";
import { until } from "../support/polls.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const mint = (folder: string) => mintKey(folder, ["all"]);

const serve = (folder: string, listen = "127.0.0.1:0", ...flags: readonly string[]) =>
  startProgram(["serve", "--listen", listen, "--data-dir", folder, ...UNLIMITED, ...flags]);

/** A process of `handoff events --follow`, and its output. */
function follow(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const child = Bun.spawn([...handoffCommand(), "events", "--follow", "--json", ...args], {
    cwd: "/",
    env: { HOME: "/nonexistent", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const ids: string[] = [];
  let tell = () => {};
  const read = async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      ids.push(...lines.map((line) => JSON.parse(line).id));
      tell();
    }
  };
  const reading = read();
  return {
    ids,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves once so many events were printed. */
    async until(count: number) {
      while (ids.length < count) await new Promise<void>((resolve) => (tell = resolve));
    },
    /** Its exit code and errors, once it has ended. */
    async ended() {
      const [exitCode, stderr] = await Promise.all([child.exited, child.stderr.text(), reading]);
      return { exitCode, stderr };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** The ids of all events, as listed. */
async function listAll(url: string, token: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ""; ;) {
    const headers = { authorization: `Bearer ${token}` };
    const { data, next_cursor: next } = await jsonOf(fetch(`${url}/api/v1/events?limit=100${after}`, { headers }));
    if (data.length === 0) return ids;
    ids.push(...data.map(({ id }: { id: string }) => id));
    after = `&after=${next}`;
  }
}

test("the script of the manual acts on a claim within a second", async () => {
  using folder = temporaryFolder();
  const script = manualBlock("scripts", "handoff events --follow");
  expect(script.trim().split("\n")).toHaveLength(3);
  const data = join(folder.path, "data");
  const token = await mint(data);
  await using server = await serve(data);
  symlinkSync(handoffCommand()[0] ?? "", join(folder.path, "handoff"));
  const PATH = `${folder.path}:${process.env["PATH"]}`;
  const child = Bun.spawn(["bash", "-c", script], {
    cwd: folder.path,
    env: { PATH, HOME: folder.path, HANDOFF_URL: server.url, HANDOFF_API_KEY: token },
    stderr: "pipe",
    detached: true,
  });
  try {
    const api = apiOf(server.url, token);
    const { id } = await jsonOf(api.create("text", "?max_claims=100"));
    const log = join(folder.path, "opened.log");
    const lines = async () =>
      (await Bun.file(log).exists()) ? (await Bun.file(log).text()).split("\n").length - 1 : 0;
    // Waits until it listens, which it does not report. A program missing in the PATH ends the script at once.
    for (let claims = 0; claims < 50 && (await lines()) === 0; claims++) {
      if (child.exitCode !== null) throw new Error(`the script ended: ${await child.stderr.text()}`);
      await api.claim(id);
      await Bun.sleep(100);
    }
    await Bun.sleep(200);
    const before = await lines();
    const start = performance.now();
    await api.claim(id);
    await until(async () => (await lines()) !== before);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(await Bun.file(log).text()).toEndWith(`${id} was opened\n`);
  } finally {
    if (child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await child.exited;
  }
}, 30_000);

test("a follower gets every event exactly once and in order, however often the server is killed", async () => {
  using folder = temporaryFolder();
  const token = await mint(folder.path);
  const first = await serve(folder.path);
  const { host } = new URL(first.url);
  await using followed = follow({ HANDOFF_URL: first.url, HANDOFF_API_KEY: token });
  let server = first;
  for (let round = 0; round < 5; round++) {
    const api = apiOf(server.url, token);
    const work = async () => {
      for (;;) await jsonOf(api.create("text"));
    };
    const workers = Array.from({ length: 8 }, () => work().catch(() => undefined));
    await followed.until(followed.ids.length + 200);
    server.kill("SIGKILL");
    await server.exited;
    await Promise.all(workers);
    server = await serve(folder.path, host);
  }
  await using last = server;
  const all = await listAll(last.url, token);
  expect(all.length).toBeGreaterThan(1000);
  await followed.until(all.length);
  followed.kill("SIGINT");
  // It reports that, unless it was in the middle of a line: then it ends at once.
  expect((await followed.ended()).exitCode).toBe(130);
  expect(followed.ids).toEqual(all);
}, 60_000);

test("a key revoked by an admin ends its streams within a second, and the command with exit code 3", async () => {
  using folder = temporaryFolder();
  const token = await mint(folder.path);
  await using server = await serve(folder.path);
  await using followed = follow({ HANDOFF_URL: server.url, HANDOFF_API_KEY: token });
  await apiOf(server.url, token).create("text");
  await followed.until(1);
  const stream = await openStream(`${server.url}/api/v1/events`, { authorization: `Bearer ${token}` });
  expect(await stream.event()).toBeDefined();
  const ended = stream.event().then((event) => ({ event, at: performance.now() }));
  const { stdout } = await runExecutable(["admin", "key", "list", "--json", "--data-dir", folder.path]);
  await runExecutable(["admin", "key", "revoke", JSON.parse(stdout)[0].id, "--data-dir", folder.path]);
  const revokedAt = performance.now();
  const { event, at } = await ended;
  expect(event).toBeUndefined();
  expect(at - revokedAt).toBeLessThan(1000);
  expect(await followed.ended()).toEqual({ exitCode: 3, stderr: expect.stringContaining("The API key isn't valid") });
}, 30_000);

test("'events --follow' ends silently when its reader has gone", async () => {
  using folder = temporaryFolder();
  const token = await mint(folder.path);
  await using server = await serve(folder.path);
  const api = apiOf(server.url, token);
  await api.create("text");
  const line = `'${handoffCommand().join("' '")}' events --follow | head -n 1; echo "$\{PIPESTATUS[0]}"`;
  const child = Bun.spawn(["bash", "-c", line], {
    env: { PATH: process.env["PATH"] ?? "", HANDOFF_URL: server.url, HANDOFF_API_KEY: token, HOME: "/nonexistent" },
    stdout: "pipe",
    stderr: "pipe",
  });
  // It notices with the next event.
  while (child.exitCode === null) {
    await api.create("text");
    await Promise.race([child.exited, Bun.sleep(100)]);
  }
  expect(await child.stderr.text()).toBe("");
  expect(await child.stdout.text()).toMatch(/^\S+ secret\.created \S+ api_key:\S+ - \S+\n0\n$/);
}, 30_000);

test("a server that stops ends its streams, and waits for none of them", async () => {
  using folder = temporaryFolder();
  const token = await mint(folder.path);
  await using server = await serve(folder.path);
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => openStream(`${server.url}/api/v1/events`, { authorization: `Bearer ${token}` })),
  );
  for (const stream of streams) await stream.next();
  const start = performance.now();
  server.kill("SIGTERM");
  for (const stream of streams) expect(await stream.event()).toBeUndefined();
  expect(await server.exited).toBe(0);
  expect(performance.now() - start).toBeLessThan(5000);
}, 30_000);
