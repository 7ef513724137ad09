import { join } from "node:path";
import { unlimitedFlags } from "./unlimited.ts";

export const EXECUTABLE = join(import.meta.dir, "../../dist/handoff");
const START_TIMEOUT_MS = 10_000;

/** `dist/handoff serve` with its log going to /dev/null. */
export interface ExecutableServer extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** An API key that may create and claim. */
  readonly token: string;
}

/** Starts the executable over an empty data folder and resolves once it answers. */
export async function startExecutable(folder: string, ...flags: readonly string[]): Promise<ExecutableServer> {
  const where = ["--data-dir", folder];
  return startServing(where, await mintKey(where), ...flags);
}

/** Makes a team in the empty database that the flags `where` name, and a key that may create, claim and read events. */
export async function mintKey(where: readonly string[]): Promise<string> {
  await runExecutable("admin", "team", "create", "bench", ...where);
  const scopes = ["--scope", "secrets:create", "--scope", "secrets:claim", "--scope", "events:read"];
  const mint = ["admin", "key", "create", "--team", "bench", "--identity", "load", ...where];
  return (await runExecutable(...mint, ...scopes)).trim();
}

/**
 * Starts the executable over the database that the flags `where` name, in which `token` is, and resolves once it
 * answers.
 */
export async function startServing(
  where: readonly string[],
  token: string,
  ...flags: readonly string[]
): Promise<ExecutableServer> {
  const port = freePort();
  const child = Bun.spawn([EXECUTABLE, ...servingArguments(where, port), ...flags], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file("/dev/null"),
  });
  await untilAlive(port);
  return {
    pid: child.pid,
    port,
    token,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** The arguments with which the executable serves `folder` on loopback, with limits out of the way. */
export function serveArguments(folder: string, port: number): string[] {
  return servingArguments(["--data-dir", folder], port);
}

function servingArguments(where: readonly string[], port: number): string[] {
  return ["serve", "--listen", `127.0.0.1:${port}`, ...where, ...unlimitedFlags()];
}

/** Measures how long the executable takes for `args`, in milliseconds. Throws when it fails. */
export async function timeExecutable(...args: readonly string[]): Promise<number> {
  const start = performance.now();
  await runExecutable(...args);
  return performance.now() - start;
}

/** Runs the executable to its end and returns its standard output. Throws when it fails. */
async function runExecutable(...args: readonly string[]): Promise<string> {
  return runWith({}, ...args);
}

/** The same with more environment variables. */
export async function runWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const child = Bun.spawn([EXECUTABLE, ...args], {
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const [output, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`handoff ${args.slice(0, 3).join(" ")} ended with ${exitCode}`);
  return output;
}

/** A free port on loopback. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

async function untilAlive(port: number): Promise<void> {
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await Bun.sleep(20)) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error("the executable does not answer");
}
