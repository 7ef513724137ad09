import { existsSync, readFileSync, rmSync } from "node:fs";
import { chmod, chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { $, SQL } from "bun";
import { codeOf } from "../../src/contract/error-traces.ts";
import { createMonotonicClock } from "../../src/domain/values/clocks.ts";
import type { TimeSource } from "../../src/domain/values/clocks.ts";
import { createIds } from "../../src/domain/values/ids.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";
import { openPostgresStore } from "../../src/store/postgres/store.ts";
import type { PostgresStore } from "../../src/store/postgres/store.ts";
import { until } from "./polls.ts";
import { openPostgresStorage } from "./postgres-storage.ts";
import { openUnderTest, OPERATOR, TOMBSTONE_MS } from "./stores.ts";
import type { StoreUnderTest, WorkingStore } from "./stores.ts";
import { temporaryFolder } from "./temporary.ts";

const VERSIONS = ["18", "17", "16", "15"];
const BIN = VERSIONS.map((version) => `/usr/lib/postgresql/${version}/bin`).find((path) => existsSync(path)) ?? "";

/** A PostgreSQL of a test's own, on a Unix socket in a temporary folder, with `fsync` on. */
export interface PostgresCluster extends AsyncDisposable {
  /** The path of its socket. */
  readonly socket: string;
  /**
   * Makes a database, empty or a copy of `template`, to which nobody is connected, and returns how to connect to it.
   */
  makeDatabase(template?: string): Promise<ConnectionOptions>;
  /** Starts another one that copies all that this one commits, and can be read. */
  makeReplica(): Promise<PostgresCluster>;
  /** Runs a statement beside all databases. */
  run(statement: string): Promise<Record<string, unknown>[]>;
  /**
   * Ends the connections of clients that are meant, also those that are still being made, and resolves once they are
   * gone, with their number.
   */
  cutOff(isMeant: (connection: ClientConnection) => boolean): Promise<number>;
  /** Has it say nothing any more, like one behind a network that loses everything. */
  freeze(): void;
  /** Has it go on where it was. */
  thaw(): void;
  /** Ends the server as a crash does (kill -9), without a word to anybody. */
  crash(): Promise<void>;
  /** Starts it again over what it has left, and waits until it takes connections. */
  start(): Promise<void>;
}

/** A client's connection to a database, by the process that serves it. */
interface ClientConnection {
  readonly pid: number;
  readonly database: string;
}

/**
 * A command that ends with this process, however that ends; and as the user that Debian made for it, because PostgreSQL
 * refuses to run as root.
 */
function unprivileged(words: readonly string[]): string[] {
  const user = process.getuid?.() === 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  return ["setpriv", ...user, "--pdeathsig=INT", "--", ...words];
}

/** Starts one over files in `place`, or in a folder of its own that is removed at the end. */
export async function startPostgres(settings: Settings = {}, place = temporaryFolder()): Promise<PostgresCluster> {
  const { folder, data } = await makeFolder(place);
  await makeFiles(data);
  return serve(folder, data, settings);
}

/**
 * Makes the files of an empty server in `data`: a copy where a run has made them once, since initdb takes several times
 * as long.
 */
async function makeFiles(data: string): Promise<void> {
  const made = process.env["TEST_POSTGRES_FILES"];
  if (made !== undefined) return void (await $`cp -a ${made}/. ${data}`.quiet());
  run("initdb", "--no-sync", "-D", data, "-A", "trust", "-U", "handoff", "-E", "UTF8", "--locale=C.UTF-8");
}

/** The files of an empty server, in a folder of their own, for `TEST_POSTGRES_FILES`. */
export async function makePostgresFiles(): Promise<{ readonly path: string } & Disposable> {
  const { folder, data } = await makeFolder(temporaryFolder());
  await makeFiles(data);
  return { path: data, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

type Settings = Readonly<Record<string, string>>;

type Folder = ReturnType<typeof temporaryFolder>;

/** Makes a folder for the files of a server, which is that of its user. */
async function makeFolder(folder: Folder) {
  const data = join(folder.path, "data");
  await mkdir(data, { mode: 0o700 });
  if (process.getuid?.() === 0) {
    await chmod(folder.path, 0o711);
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(Bun.spawnSync(["id", flag, "postgres"]).stdout.toString()));
    await chown(data, uid ?? 0, gid ?? 0);
  }
  return { folder, data };
}

/** Runs a program of PostgreSQL to its end. */
function run(program: string, ...args: readonly string[]): void {
  const { success, stderr } = Bun.spawnSync(unprivileged([join(BIN, program), ...args]), { cwd: "/" });
  if (!success) throw new Error(stderr.toString());
}

/** Starts a server over the files in `data`. */
async function serve(folder: Disposable, data: string, settings: Settings): Promise<PostgresCluster> {
  const options = { listen_addresses: "", port: "5432", unix_socket_directories: data, ...settings };
  const flags = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const words = unprivileged([join(BIN, "postgres"), "-D", data, ...flags]);
  let server = await startServer(words);
  const connection = { path: join(data, `.s.PGSQL.${options.port}`), username: "handoff" };
  const admin = new SQL({ ...connection, adapter: "postgres", database: "postgres", max: 1 });
  let databases = 0;
  return {
    socket: connection.path,
    async makeDatabase(template = "template1") {
      const database = `test_${(databases += 1)}`;
      await admin.unsafe(`CREATE DATABASE ${database} TEMPLATE ${template}`);
      return { ...connection, database, max: 6 };
    },
    async makeReplica() {
      const copy = await makeFolder(temporaryFolder());
      run("pg_basebackup", "-D", copy.data, "-h", data, "-U", "handoff", "-R", "-c", "fast");
      // Its socket is among the files, which says that the other one is in use.
      rmSync(join(copy.data, ".s.PGSQL.5432.lock"));
      return serve(copy.folder, copy.data, settings);
    },
    async run(statement) {
      return (await admin.unsafe(statement)) as Record<string, unknown>[];
    },
    async cutOff(isMeant) {
      const found = connectionsTo(server).filter(isMeant);
      for (const { pid } of found) signal(pid, "SIGTERM");
      await until(() => !found.some(({ pid }) => existsSync(`/proc/${pid}`)));
      return found.length;
    },
    freeze: () => signalAll(server, "SIGSTOP"),
    thaw: () => signalAll(server, "SIGCONT"),
    async crash() {
      // Its processes would answer until they notice that the first of them has gone.
      signalAll(server, "SIGKILL");
      await server.exited;
    },
    async start() {
      server = await startServer(words);
    },
    async [Symbol.asyncDispose]() {
      await admin.close({ timeout: 0 });
      signalAll(server, "SIGCONT");
      // Without a checkpoint: its files are removed.
      server.kill("SIGQUIT");
      await server.exited;
      folder[Symbol.dispose]();
    },
  };
}

/** Signals a server that runs, and all of its processes. */
function signalAll(server: Bun.Subprocess, name: NodeJS.Signals): void {
  if (server.exitCode !== null || server.signalCode !== null) return;
  for (const pid of [server.pid, ...childrenOf(server)]) signal(pid, name);
}

function childrenOf({ pid }: Bun.Subprocess): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

/**
 * The connections of clients, by the titles of their processes. pg_stat_activity lacks a user who is being
 * authenticated, and one who has passed that is let in even if it was forbidden since.
 */
function connectionsTo(server: Bun.Subprocess): ClientConnection[] {
  return childrenOf(server).flatMap((pid) => {
    const [, database] = /^postgres: \S+ (\S+) (?:\[local\]|\S+\(\d+\)) /.exec(titleOf(pid)) ?? [];
    return database === undefined ? [] : [{ pid, database }];
  });
}

/** The title of a process; empty when it has ended. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Signals a process, unless it has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** Starts a server, and waits until it takes connections. */
async function startServer(words: readonly string[]): Promise<Bun.Subprocess> {
  for (;;) {
    const server = Bun.spawn([...words], { cwd: "/", stdout: "ignore", stderr: "pipe" });
    try {
      await untilReady(server.stderr);
      return server;
    } catch (error) {
      // The children of one that has crashed notice that in their own time.
      if (!String(error).includes("still in use")) throw error;
    }
  }
}

/**
 * Resolves once the server says that it takes connections, and reads on what it says. Rejects with all of it when it
 * ends before.
 */
async function untilReady(stderr: ReadableStream<Uint8Array>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const readOn = async () => {
    let said = "";
    for await (const chunk of stderr) {
      said = (said + Buffer.from(chunk).toString()).slice(-100_000);
      if (/ready to accept (read-only )?connections/.test(said)) resolve();
    }
    reject(new Error(said));
  };
  void readOn();
  return promise;
}

/** Opens a store over a database, by the clock `time`. */
export async function openOver(
  connection: ConnectionOptions,
  time: TimeSource,
): Promise<WorkingStore & { readonly store: PostgresStore }> {
  const clock = createMonotonicClock(time);
  const ids = createIds(clock, systemRandom);
  const tombstoneSeconds = TOMBSTONE_MS / 1000;
  return { clock, ids, store: await openPostgresStore({ connection, clock, tombstoneSeconds, operator: OPERATOR }) };
}

/** Opens an empty store in a database that it has to itself. */
export async function openPostgres({ socket }: Pick<PostgresCluster, "socket">): Promise<StoreUnderTest> {
  return openUnderTest(await openPostgresStorage(socket));
}
