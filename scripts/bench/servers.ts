import { join } from "node:path";
import type { ThreadProfile } from "./profilers.ts";

const SERVER = join(import.meta.dir, "server.ts");

/**
 * The subjects of the measurements: the app as it is, the same app over a store that keeps no secrets, the same app
 * with a transaction for every request, a plain Elysia route with the same schema, an answer without any of it, for
 * what the load generator can do at most, the app with metrics that are scraped every five seconds, and the app with ten webhooks
 * that are told of everything, at the URL `BENCH_RECEIVER`.
 */
export const VARIANTS = [
  "group commit",
  "no database",
  "one per request",
  "plain route",
  "nothing",
  "with metrics",
  "with webhooks",
] as const;
export type Variant = (typeof VARIANTS)[number];

export function isVariant(text: string): text is Variant {
  return VARIANTS.some((variant) => variant === text);
}

/** The line that a server writes to standard output when it listens. */
export interface ServerReady {
  readonly port: number;
  /** An API key that may do everything in its team. */
  readonly token: string;
  readonly teamId: string;
}

/** A server in a process of its own, with its log going to /dev/null. */
export interface BenchServer extends ServerReady, AsyncDisposable {
  readonly pid: number;
  /** Profiles what each of its threads does while `work` runs, the one that answers requests first. */
  profile(work: () => Promise<void>): Promise<ThreadProfile[]>;
}

/**
 * Starts `variant` from the source, with its data in `folder` and `env` added to its environment, and resolves once it
 * listens.
 */
export async function startVariant(
  variant: Variant,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const child = Bun.spawn([process.execPath, SERVER, variant, folder], {
    env: { ...process.env, ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  });
  const lines = linesOf(child.stdout);
  const readLine = async () => (await lines.next()).value ?? fail();
  const ready: ServerReady = JSON.parse(await readLine());
  return {
    ...ready,
    pid: child.pid,
    async profile(work) {
      void child.stdin.write("profile\n");
      await readLine();
      await work();
      void child.stdin.write("profile\n");
      return JSON.parse(await readLine());
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** The lines of a stream. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

function fail(): never {
  throw new Error("a server ended while it was measured");
}
