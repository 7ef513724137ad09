import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE, freePort, serveArguments, startExecutable, timeExecutable } from "./executables.ts";
import { benchFolder } from "./folders.ts";
import { sealCiphertext } from "./requests.ts";
import { median } from "./statistics.ts";
import { aim, milliseconds } from "./tables.ts";
import type { Row } from "./tables.ts";

const RUNS = 20;
const PATIENCE_MS = 10_000;
const HELLO = 'console.log("hello");\n';

/**
 * Measures how long the compiled executable takes to start, compared with a hello-world executable that is built in the
 * same way: the start of Bun itself. Runs them in turn, so that disturbances affect all of them.
 */
export async function measureStarts(): Promise<Row[]> {
  using folder = benchFolder();
  const hello = buildHello(folder.path);
  const token = await prepareData(folder.path);
  const body = JSON.stringify({ envelope: { version: 1, ciphertext: await sealCiphertext(1024) } });
  const times = { hello: [] as number[], version: [] as number[], live: [] as number[], created: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    times.hello.push(await timeProgram(hello));
    times.version.push(await timeExecutable("version"));
    const { live, created } = await timeServer(folder.path, token, body);
    times.live.push(live);
    times.created.push(created);
  }
  const row = (what: string, values: readonly number[], mostMs?: number): Row => ({
    measure: `${what}, against the start of Bun, median of ${RUNS}`,
    value: milliseconds(median(values)),
    baseline: milliseconds(median(times.hello)),
    ratio: (median(values) / median(times.hello)).toFixed(2),
    aim: mostMs === undefined ? "" : aim(`≤ ${mostMs} ms`, median(values) <= mostMs),
  });
  return [
    row("`handoff version`", times.version, 60),
    row("start of the server to the first answer", times.live, 60),
    row("start of the server to the first create", times.created),
  ];
}

/** Builds a minimal program, as `scripts/build` builds ours, and returns its path. */
function buildHello(folder: string): string {
  const [source, program] = [join(folder, "hello.js"), join(folder, "hello")];
  writeFileSync(source, HELLO);
  const flags = ["--compile", "--minify", "--bytecode", "--outfile", program];
  const { success, stderr } = Bun.spawnSync([process.execPath, "build", source, ...flags]);
  if (!success) throw new Error(`the program that says hello cannot be built: ${stderr.toString()}`);
  return program;
}

async function timeProgram(program: string): Promise<number> {
  const start = performance.now();
  const exitCode = await Bun.spawn([program], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).exited;
  if (exitCode !== 0) throw new Error("the program that says hello has failed");
  return performance.now() - start;
}

/** Makes a database in `folder`, as almost every start finds one, and returns an API key. */
async function prepareData(folder: string): Promise<string> {
  await using server = await startExecutable(folder);
  return server.token;
}

/** Starts the server, and measures the milliseconds until it is healthy, and until it has stored a secret. */
async function timeServer(folder: string, token: string, body: string) {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const start = performance.now();
  const child = Bun.spawn([EXECUTABLE, ...serveArguments(folder, port)], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  try {
    while (!(await isLive(url))) {
      if (performance.now() - start > PATIENCE_MS) throw new Error("the server does not start");
    }
    const live = performance.now() - start;
    const { status } = await fetch(`${url}/api/v1/secrets`, { method: "POST", headers, body });
    if (status !== 201) throw new Error(`the first create was answered with ${status}`);
    return { live, created: performance.now() - start };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

async function isLive(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/live`).catch(() => undefined);
  if (!answer) await Bun.sleep(1);
  return answer?.ok ?? false;
}
