import { chmodSync, chownSync, existsSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { codeOf } from "../contract/error-traces.ts";
import { UserError } from "../contract/user-errors.ts";
import { WAIT_TIMEOUT_SECONDS } from "./app.ts";
import type { App } from "./app.ts";
import { createPathReader, FITS_NO_ROUTE, noteSentPath, withLongHost } from "./gate/paths.ts";
import type { SentPath } from "./gate/paths.ts";

/**
 * Out of reach: Bun answers a declared length above its own limit with an empty body, and does not call us. The gate
 * and the reader of bodies refuse what is too large, and Bun discards a body that nobody reads as it comes.
 */
const BUN_BODY_LIMIT_BYTES = 2 ** 50;

/** The time without a byte after which a connection ends; a slow upload has to make some progress in it. */
const IDLE_TIMEOUT_SECONDS = {
  tcp: 30,
  // On a Unix socket Bun ignores the longer timeout of a single request (oven-sh/bun#43816).
  unix: WAIT_TIMEOUT_SECONDS,
} as const;

/** The flag that named an address, for messages; `--listen` without it. */
interface Named {
  readonly flag?: "--listen" | "--metrics-listen" | "--acme-listen" | undefined;
}

export type ListenTarget = Named & Place;

type Place =
  | { readonly kind: "tcp"; readonly hostname: string; readonly port: number }
  | {
      readonly kind: "unix";
      readonly path: string;
      /** The group that may connect, beside this user. */
      readonly groupId?: number | undefined;
    };

/** A certificate chain and its private key, as PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

export interface ServerOptions {
  readonly target: ListenTarget;
  readonly tls: TlsPair | undefined;
  /** The time without a byte after which a connection is ended; 30 seconds by default, 90 on a Unix socket. */
  readonly idleTimeoutSeconds?: number;
}

/** A server that takes requests. */
export interface RunningServer {
  /** The URL at which it listens, with the real port. For a Unix socket `http://localhost`. */
  readonly url: string;
  /** Uses this certificate for new connections, and closes idle ones. Throws ListenError, and then nothing changes. */
  useCertificate(tls: TlsPair): void;
  /** Takes no new connections, gives calls in flight up to `graceMs` to finish, then closes. */
  stop(graceMs: number): Promise<void>;
}

/** The address cannot be listened on; the message says why. */
class ListenError extends UserError {
  override readonly name = "ListenError";

  constructor(message: string, cause?: unknown) {
    super("failure", message, { cause });
  }
}

/** The flag that named `target`. */
export function flagOf({ flag = "--listen" }: ListenTarget): string {
  return flag;
}

/** Throws ListenError when `target` is a name that this machine has no address for. */
export async function checkName(target: ListenTarget): Promise<void> {
  if (target.kind !== "tcp") return;
  const { hostname } = target;
  try {
    // Resolves names as Bun.serve does, whose own error does not name the cause.
    await Bun.dns.lookup(hostname, { backend: "libc" });
  } catch (error) {
    throw new ListenError(
      `the name '${hostname}' does not resolve: this machine finds no address for it. Check /etc/hosts and the DNS, or give an address, such as ${flagOf(target)} 127.0.0.1:8080`,
      error,
    );
  }
}

type Listener = NonNullable<App["server"]>;

/** The part of an app that a server needs. The server sets `server` to its listener. */
export interface Served {
  readonly routes: readonly { readonly path: string }[];
  compile(): unknown;
  fetch(request: Request): Response | Promise<Response>;
  server: Listener | null;
}

/** Starts to serve `app`. Throws ListenError. */
export async function startServer(app: Served, options: ServerOptions): Promise<RunningServer> {
  const { target } = options;
  if (target.kind === "unix") await removeStaleSocket(target);
  // Listening with reusePort does not notice another listener.
  else if (options.tls && target.port !== 0) checkFree(target);
  let listener = listen(app, options, target);
  // Listeners that take no more connections and still have calls in flight.
  const retired = new Set<Listener>();
  const { port = 0 } = listener;
  return {
    url: target.kind === "unix" ? "http://localhost" : listener.url.origin,
    useCertificate(tls) {
      const old = listener;
      if (target.kind === "tcp") {
        listener = listen(app, { ...options, tls }, { ...target, port });
        retire(old, retired);
      } else {
        const aside = `${target.path}~`;
        const next = listen(app, { ...options, tls }, { ...target, path: aside });
        try {
          // Tried now, while the old listener can still go on.
          renameSync(aside, target.path);
          renameSync(target.path, aside);
        } catch (error) {
          app.server = old;
          void next.stop(true);
          throw new ListenError(explain(error, target), error);
        }
        listener = next;
        // The old listener removes the socket at its path when it stops.
        retire(old, retired);
        renameSync(aside, target.path);
      }
    },
    async stop(graceMs) {
      const all = [...retired, listener];
      const finished = Promise.all(all.map((each) => each.stop(false)));
      const late = new Promise<"late">((resolve) => setTimeout(resolve, graceMs, "late").unref());
      if ((await Promise.race([finished, late])) === "late") await Promise.all(all.map((each) => each.stop(true)));
      if (target.kind === "unix" && existsSync(target.path)) unlinkSync(target.path);
    },
  };
}

function listen(app: Served, { tls, idleTimeoutSeconds }: ServerOptions, target: ListenTarget): Listener {
  try {
    const common = {
      ...(tls ? { tls } : {}),
      idleTimeout: idleTimeoutSeconds ?? IDLE_TIMEOUT_SECONDS[target.kind],
      maxRequestBodySize: BUN_BODY_LIMIT_BYTES,
      development: false,
      // Bun cannot change the certificate of a listener (oven-sh/bun#43815): the next one is opened before this one
      // ends. Without TLS no second server may start on the same port, where it would get half of the requests.
      reusePort: tls !== undefined,
      ...handlers(app),
    };
    // Bun's type allows no idle timeout on a Unix socket; Bun does.
    const place: object =
      target.kind === "tcp" ? { hostname: target.hostname, port: target.port } : { unix: target.path };
    const listener = Bun.serve({ ...common, ...place });
    if (target.kind === "unix") {
      if (target.groupId !== undefined) giveToGroup(target.path, target.groupId);
      chmodSync(target.path, 0o660);
    }
    app.server = listener;
    return listener;
  } catch (error) {
    if (error instanceof ListenError) throw error;
    throw new ListenError(explain(error, target), error);
  }
}

/** Gives the socket at `path` to a group. Throws ListenError when this user may not do that. */
function giveToGroup(path: string, groupId: number): void {
  try {
    chownSync(path, -1, groupId);
  } catch (error) {
    throw new ListenError(
      `this user may not give the socket '${path}' to the group of --socket-group: it has to be in that group (in a systemd unit, SupplementaryGroups=)`,
      error,
    );
  }
}

/** Stops `listener` from taking connections, and keeps it in `retired` until its calls in flight are answered. */
function retire(listener: Listener, retired: Set<Listener>): void {
  retired.add(listener);
  void listener.stop(false).then(() => retired.delete(listener));
}

/** Throws ListenError when another program listens there. */
function checkFree(target: Extract<ListenTarget, { kind: "tcp" }>): void {
  const { hostname, port } = target;
  try {
    Bun.listen({ hostname, port, socket: { data: () => undefined } }).stop(true);
  } catch (error) {
    throw new ListenError(explain(error, target), error);
  }
}

/**
 * Passes every request to `app`, which routes it, with its path as sent. The address of a request is normalized
 * (`/docs/../api` becomes `/api`, and a backslash `/`). Only Bun's router, given the same routes, sees the original.
 */
function handlers(app: Served) {
  app.compile();
  const handle = (request: Request, sentPath: SentPath) => {
    noteSentPath(request, sentPath);
    return app.fetch(withLongHost(request));
  };
  const answererFor = (pattern: string) => {
    const readPath = createPathReader(pattern);
    return (request: Bun.BunRequest) => handle(request, readPath(request));
  };
  return {
    routes: Object.fromEntries(app.routes.map(({ path }) => [path, answererFor(path)])),
    fetch: (request: Request) => handle(request, FITS_NO_ROUTE),
  };
}

/**
 * Removes the socket of a server that was killed, which blocks the next start. Throws ListenError when a program
 * answers.
 */
async function removeStaleSocket(target: Extract<ListenTarget, { kind: "unix" }>): Promise<void> {
  const { path } = target;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isSocket())
    throw new ListenError(`'${path}' exists and is not a socket: choose another path with ${flagOf(target)}`);
  try {
    const socket = await Bun.connect({ unix: path, socket: { data: () => undefined } });
    socket.end();
  } catch (error) {
    if (codeOf(error) !== "ECONNREFUSED") {
      throw new ListenError(`the socket '${path}' is there and this user may not replace it`, error);
    }
    unlinkSync(path);
    return;
  }
  throw new ListenError(`another program listens on '${path}'`);
}

function explain(error: unknown, target: ListenTarget): string {
  const where = target.kind === "unix" ? `'${target.path}'` : `${target.hostname}:${target.port}`;
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `another program listens on ${where}. Stop it, or choose another address with ${flagOf(target)}`;
    case "EACCES":
      return target.kind === "unix"
        ? `this user may not make the socket ${where}. Choose another path with ${flagOf(target)}`
        : `this user may not listen on ${where}. Ports below 1024 need CAP_NET_BIND_SERVICE: 'handoff admin service ${flagOf(target) === "--acme-listen" ? "--acme NAME" : "--listen"}' prints a systemd unit with it`;
    case "EADDRNOTAVAIL":
      return `this machine has no address ${where}`;
    default:
      return `cannot listen on ${where}: ${error instanceof Error ? error.message : "unknown reason"}`;
  }
}
