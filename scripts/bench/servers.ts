import { join } from "node:path";

const SERVER = join(import.meta.dir, "server.ts");

/**
 * The subjects of the measurements. They are the app; the app over a store that keeps no secrets; the app with a
 * transaction for every request; a plain Elysia route with the same schema; a bare answer, which shows the limit of the
 * load generator; and the app with ten webhooks for every event, at the URL `BENCH_RECEIVER`.
 */
export const VARIANTS = [
  "group commit",
  "no database",
  "one per request",
  "plain route",
  "nothing",
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
}

/** A server in its own process, with its log going to /dev/null. */
export interface BenchServer extends ServerReady, AsyncDisposable {
  readonly pid: number;
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
    stdin: "ignore",
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  });
  return {
    ...(await readReady(child.stdout)),
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Reads the first line of a stream. */
async function readReady(stream: ReadableStream<Uint8Array>): Promise<ServerReady> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) return JSON.parse(text);
  }
  throw new Error("a server ended while it was measured");
}
