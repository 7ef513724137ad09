import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHttpClient } from "../../src/client/http-client.ts";
import type { HttpClient, HttpClientOptions } from "../../src/client/http-client.ts";
import { apiOf, runExecutable, UNLIMITED } from "./executions.ts";
import { manualBlock, manualText } from "./manual.ts";
import { urlOf } from "./postgres-urls.ts";
import { startPostgres } from "./postgres.ts";
import { startReverseProxy } from "./proxies.ts";
import { startProgram } from "./running.ts";
import type { RunningProgram } from "./running.ts";
import { temporaryFolder } from "./temporary.ts";

const SCOPES = ["secrets:create", "secrets:read", "secrets:claim", "secrets:revoke", "secrets:approve", "events:read"];

/** One of several servers, on a socket of its own. */
export interface OneServer {
  readonly running: RunningProgram;
  /** The way to it past the proxy. */
  readonly way: BunFetchRequestInit;
  /** The API past the proxy, with the key of all. */
  readonly api: ReturnType<typeof apiOf>;
  /** Ends it, and resolves once it has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Starts it anew, and resolves once it listens. */
  start(): Promise<void>;
}

/** Two servers on one PostgreSQL, behind nginx as the manual has it. */
export interface SeveralServers extends AsyncDisposable {
  readonly servers: readonly [OneServer, OneServer];
  /** A key that may do everything with secrets and read events. */
  readonly token: string;
  /** A client of ours that goes through nginx. */
  client(options?: Partial<Pick<HttpClientOptions, "onRetry" | "signal" | "credential">>): HttpClient;
  /** Runs an admin command, and returns what it prints. Throws when it fails. */
  admin(...args: readonly string[]): Promise<string>;
}

/** Starts both with `flags`. */
export async function startSeveralServers(flags: readonly string[] = []): Promise<SeveralServers> {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(temporaryFolder()).path;
  const cluster = starting.use(await startPostgres());
  const env = { HANDOFF_DATABASE_URL: urlOf(await cluster.makeDatabase()) };
  const admin = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await runExecutable(["admin", ...args], env);
    if (exitCode !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  await admin("team", "create", "team");
  const scopes = SCOPES.flatMap((scope) => ["--scope", scope]);
  const token = await admin("key", "create", "--team", "team", "--identity", "test", ...scopes);
  const sockets = [join(folder, "one"), join(folder, "two")] as const;
  const change = (block: string) => toSeveral(block, sockets[1]);
  const serve = async (socket: string) => starting.use(await openServer(socket, token, env, flags));
  const servers = [await serve(sockets[0]), await serve(sockets[1])] as const;
  const proxy = starting.use(
    await startReverseProxy("nginx", { folder: join(folder, "nginx"), upstream: sockets[0], change }),
  );
  const tls = { ca: readFileSync(proxy.ca, "utf8") };
  const all = starting.move();
  return {
    servers,
    token,
    admin,
    client: (options) =>
      createHttpClient({
        credential: token,
        ...options,
        baseUrl: proxy.url,
        fetch: (url, init) => fetch(url, { ...init, tls }),
      }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** The manual's block for nginx with its lines for several servers, of which the second one has this socket. */
function toSeveral(block: string, second: string): string {
  const upstream = manualBlock("failover", "upstream handoff", "conf");
  const [, pass = ""] = /`(proxy_pass http:\/\/handoff;[^`]*)`/.exec(manualText("failover")) ?? [];
  const sockets = ["unix:/run/handoff/socket", `unix:${second}`];
  const addresses = upstream.match(/(?<=server )[^ ;]+/g) ?? [];
  if (addresses.length !== sockets.length || pass === "") throw new Error("the manual has other lines for nginx");
  const named = addresses.reduce((text, address, index) => text.replace(address, sockets[index] ?? ""), upstream);
  return named + block.replace("proxy_pass http://unix:/run/handoff/socket:;", pass);
}

/** Starts one on a Unix socket with `flags`; its API has the key `token`. */
export async function openServer(
  socket: string,
  token: string,
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
): Promise<OneServer & AsyncDisposable> {
  const start = () =>
    startProgram(["serve", "--listen", `unix:${socket}`, "--trusted-proxy", "unix", ...UNLIMITED, ...flags], env);
  let running = await start();
  const way = { unix: socket };
  return {
    get running() {
      return running;
    },
    way,
    api: apiOf("http://localhost", token, way),
    async end(signal) {
      running.kill(signal);
      await running.exited;
    },
    async start() {
      running = await start();
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
