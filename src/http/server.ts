import { chmodSync, existsSync, lstatSync, unlinkSync } from "node:fs";
import { type App, WAIT_TIMEOUT_SECONDS } from "./app.ts";

/**
 * Out of the way: Bun answers a declared length above its own limit without calling us, with an empty body. The gate and
 * the reader of bodies refuse what is too large, and a body that nobody reads is discarded as it comes.
 */
const BUN_BODY_LIMIT_BYTES = 2 ** 50;

/** What ends a connection on which no byte comes or goes; a slow upload has to make some progress in that time. */
const IDLE_TIMEOUT_SECONDS = {
  tcp: 30,
  // Of a Unix socket Bun ignores that a single request may wait longer (oven-sh/bun#43816).
  unix: WAIT_TIMEOUT_SECONDS,
} as const;

export type ListenTarget =
  | { readonly kind: "tcp"; readonly hostname: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string };

export interface ServerOptions {
  readonly target: ListenTarget;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** After how long without a byte a connection is ended; without it 30 seconds, of a Unix socket 90. */
  readonly idleTimeoutSeconds?: number;
}

/** A server that takes requests. */
export interface RunningServer {
  /** Where it listens; the port is the real one. For a Unix socket `http://localhost`. */
  readonly url: string;
  /** Takes no new connections, lets what is in flight finish for `graceMs` at most, then closes. */
  stop(graceMs: number): Promise<void>;
}

/** The address cannot be listened on; the message says why. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** Starts to serve `app`. Throws ListenError. */
export async function startServer(app: App, options: ServerOptions): Promise<RunningServer> {
  const { target, tls } = options;
  if (target.kind === "unix") await removeStaleSocket(target.path);
  try {
    const common = {
      ...(tls ? { tls } : {}),
      idleTimeout: options.idleTimeoutSeconds ?? IDLE_TIMEOUT_SECONDS[target.kind],
      maxRequestBodySize: BUN_BODY_LIMIT_BYTES,
      development: false,
      // Elysia's default is true: a second server on the same port would start, and get half of the requests.
      reusePort: false,
    };
    if (target.kind === "tcp") app.listen({ ...common, hostname: target.hostname, port: target.port });
    // Elysia's type knows no Unix sockets; it hands whatever it is given to Bun.serve.
    else app.listen({ ...common, unix: target.path } as object);
  } catch (error) {
    throw new ListenError(explain(error, target));
  }
  const { server } = app;
  if (!server) throw new ListenError("the server did not start");
  if (target.kind === "unix") chmodSync(target.path, 0o660);
  return {
    url: target.kind === "unix" ? "http://localhost" : server.url.origin,
    async stop(graceMs) {
      const finished = server.stop(false);
      const late = new Promise<"late">((resolve) => setTimeout(resolve, graceMs, "late").unref());
      if ((await Promise.race([finished, late])) === "late") await server.stop(true);
      if (target.kind === "unix" && existsSync(target.path)) unlinkSync(target.path);
    },
  };
}

/** After a kill -9 the socket is still there and blocks the next start; it goes if nobody answers. */
async function removeStaleSocket(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isSocket())
    throw new ListenError(`'${path}' exists and is not a socket: choose another path with --listen`);
  try {
    const socket = await Bun.connect({ unix: path, socket: { data: () => undefined } });
    socket.end();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ECONNREFUSED")) {
      throw new ListenError(`the socket '${path}' is there and this user may not replace it`);
    }
    unlinkSync(path);
    return;
  }
  throw new ListenError(`another program listens on '${path}'`);
}

function explain(error: unknown, target: ListenTarget): string {
  const where = target.kind === "unix" ? `'${target.path}'` : `${target.hostname}:${target.port}`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return `another program listens on ${where}. Stop it, or choose another address with --listen`;
    case "EACCES":
      return `this user may not listen on ${where}. Ports below 1024 need CAP_NET_BIND_SERVICE`;
    case "EADDRNOTAVAIL":
      return `this machine has no address ${where}`;
    default:
      return `cannot listen on ${where}: ${error instanceof Error ? error.message : "unknown reason"}`;
  }
}
