import { join } from "node:path";

const SERVER = join(import.meta.dir, "server.ts");

/**
 * What is measured: the app as it is, the same app over a store that keeps no secrets, and the same app with a transaction
 * for every request.
 */
export const VARIANTS = ["group commit", "no database", "one per request"] as const;
/** One of them, or `nothing`: an answer without an app, for what the load generator can do at most. */
export type Variant = (typeof VARIANTS)[number] | "nothing";

export function isVariant(text: string): text is Variant {
  return text === "nothing" || VARIANTS.some((variant) => variant === text);
}

/** What a server says on standard output when it listens. */
export interface ServerReady {
  readonly port: number;
  /** An API key that may create and claim. */
  readonly token: string;
  readonly teamId: string;
}

/** A server in a process of its own, with its log going to /dev/null. */
export interface BenchServer extends ServerReady, AsyncDisposable {
  readonly pid: number;
}

/** Starts `variant` from the source, with its data in `folder`, and resolves once it listens. */
export async function startVariant(variant: Variant, folder: string): Promise<BenchServer> {
  const child = Bun.spawn([process.execPath, SERVER, variant, folder], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: Bun.file("/dev/null"),
  });
  const ready: ServerReady = JSON.parse(await firstLine(child.stdout));
  return {
    ...ready,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** The first line of a stream. Throws when it ends before. */
export async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf("\n");
    if (end >= 0) return text.slice(0, end);
  }
  throw new Error(`a server ended before it listened: ${text}`);
}
