import { join } from "node:path";
import { simpleParser } from "mailparser";
import { runExecutable } from "../executions.ts";
import { codesIn, openMailServer } from "../mail-servers.ts";
import { urlOf } from "../postgres-urls.ts";
import { startPostgres } from "../postgres.ts";
import { openServer } from "../several-servers.ts";
import type { OneServer } from "../several-servers.ts";
import { temporaryFolder } from "../temporary.ts";
import { HOLDERS } from "./knowledge.ts";

const SCOPES = ["create", "read", "claim", "revoke", "approve"].map((each) => `secrets:${each}`);
/** How long a call is waited for. */
const PATIENCE_MS = 15_000;
/** How long calls are made again while servers come and go. */
const BOUND_MS = 120_000;

export type Engine = "sqlite" | "postgres";

/** An answer, and when its call was made and answered, in milliseconds of this process. */
export interface Answer {
  readonly status: number;
  /** The code of a refusal. */
  readonly code: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- what an answer is made of is what a test asserts
  readonly body: any;
  readonly began: number;
  readonly ended: number;
}

/** No answer came, or none that tells: the call may have been carried out or not. */
export interface Lost {
  readonly status: "lost";
  readonly began: number;
  readonly ended: number;
}

interface Call {
  readonly token: string;
  readonly body?: object;
  readonly key?: string | undefined;
  readonly proof?: string | undefined;
  readonly approval?: string | undefined;
}

/** Servers on one database that are killed while they are used, and a mail server that isn't. */
export interface KilledService extends AsyncDisposable {
  readonly engine: Engine;
  readonly servers: readonly OneServer[];
  /** The keys of several identities of one team, with every scope for secrets. */
  readonly keys: readonly string[];
  readonly lost: () => number;
  /** Makes a call at any of the servers, once. */
  call(method: string, path: string, call: Call): Promise<Answer | Lost>;
  /** Makes a call again until it is answered. Throws when that takes too long. */
  insist(method: string, path: string, call: Call): Promise<Answer>;
  /** The code that was mailed to an address; undefined when none comes in `seconds`. */
  codeFor(address: string, seconds: number): Promise<string | undefined>;
  /** How `admin check` finds the event log: `ok` or what it says. */
  checkEventLog(): Promise<string>;
}

/** Starts one server over SQLite, or two over PostgreSQL. */
export async function openKilledService(engine: Engine): Promise<KilledService> {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(temporaryFolder()).path;
  const post = starting.use(await openPost());
  const env: Record<string, string> = {};
  if (engine === "sqlite") env["HANDOFF_DATA_DIR"] = join(folder, "data");
  else env["HANDOFF_DATABASE_URL"] = urlOf(await starting.use(await startPostgres()).makeDatabase());
  const admin = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await runExecutable(["admin", ...args], env);
    if (exitCode !== 0) throw new Error(`admin ${args.join(" ")} ended with ${exitCode}: ${stderr}${stdout}`);
    return stdout.trim();
  };
  await admin("team", "create", "team");
  const scopes = [...SCOPES, "events:read"].flatMap((scope) => ["--scope", scope]);
  const mail = ["--smtp-url", `smtp://127.0.0.1:${post.port}`, "--mail-from", "handoff@mail.test"];
  const flags = [...mail, "--team-quota", "100GiB"];
  const serve = async (name: string) => starting.use(await openServer(join(folder, name), "", env, flags));
  const servers = [await serve("one")];
  if (engine === "postgres") servers.push(await serve("two"));
  const [first] = servers;
  const keys: string[] = [];
  for (const [number, address] of HOLDERS.entries()) {
    if (address === undefined) {
      keys.push(await admin("key", "create", "--team", "team", "--identity", `identity-${number}`, ...scopes));
    } else {
      await admin("person", "add", "--team", "team", address);
      keys.push(await logIn(first?.way ?? {}, address, () => post.codeFor(address, 10)));
    }
  }
  let [lost, turn] = [0, 0];
  const call: KilledService["call"] = async (method, path, options) => {
    const { way } = servers[turn++ % servers.length] as OneServer;
    const answer = await callOnce(way, method, path, options);
    if (answer.status === "lost") lost += 1;
    return answer;
  };
  const all = starting.move();
  return {
    engine,
    servers,
    keys,
    lost: () => lost,
    call,
    async insist(method, path, options) {
      const latest = performance.now() + BOUND_MS;
      for (;;) {
        const answer = await call(method, path, options);
        if (answer.status !== "lost") return answer;
        if (performance.now() > latest) throw new Error(`${method} ${path} got no answer in ${BOUND_MS} ms`);
        await Bun.sleep(50);
      }
    },
    codeFor: post.codeFor,
    async checkEventLog() {
      // It ends with 1 for what isn't asked here, such as that there are no backups.
      const { stdout } = await runExecutable(["admin", "check", "--json"], env);
      const found: { check: string; level: string; text: string }[] = JSON.parse(stdout);
      const log = found.filter(({ check }) => check === "event log");
      return log.map(({ level, text }) => (level === "ok" ? level : text)).join("\n");
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** Signs a person in by a code, and returns the key of their terminal. */
async function logIn(way: BunFetchRequestInit, address: string, code: () => Promise<string | undefined>) {
  const call = async (path: string, body: object, cookie = "") => {
    const headers = { "sec-fetch-site": "same-origin", "content-type": "application/json", cookie };
    const answer = await fetch(`http://localhost${path}`, {
      ...way,
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${await answer.text()}`);
    const text = await answer.text();
    return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", body: text === "" ? {} : JSON.parse(text) };
  };
  const begun = await call("/app/session/mail", { address, language: "en" });
  const session = await call("/app/session", { mail: { code: await code() } }, begun.cookie);
  const { body: login } = await call("/api/v1/logins", { machine: "machine" });
  await call(`/app/logins/${login.user_code.replace("-", "").toLowerCase()}`, {}, session.cookie);
  const { body } = await call("/api/v1/logins/token", { device_code: login.device_code });
  return String(body.api_key);
}

async function callOnce(
  way: BunFetchRequestInit,
  method: string,
  path: string,
  { token, body, key, proof, approval }: Call,
): Promise<Answer | Lost> {
  const began = performance.now();
  try {
    const response = await fetch(`http://localhost/api/v1${path}`, {
      ...way,
      method,
      // One that is used again may be repeated by itself when it breaks.
      keepalive: false,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        authorization: `Bearer ${token}`,
        // Each network gets but a few codes. Each call comes from one of its own.
        "x-forwarded-for": anyNetwork(),
        ...(body && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
        ...(proof !== undefined && { "handoff-proof": proof }),
        ...(approval !== undefined && { "handoff-approval": approval }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const ended = performance.now();
    const { status } = response;
    if (status === 503) return { status: "lost", began, ended };
    const answer = text === "" ? undefined : JSON.parse(text);
    return { status, code: status < 400 ? undefined : answer?.code, body: answer, began, ended };
  } catch {
    return { status: "lost", began, ended: performance.now() };
  }
}

function anyNetwork(): string {
  return `10.${[...crypto.getRandomValues(new Uint8Array(3))].join(".")}`;
}

/** A mail server that keeps the codes, by the address that they were for, and nothing else. */
async function openPost() {
  const codes = new Map<string, string>();
  const server = await openMailServer("none", {
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      // A server that is killed while it sends a mail sends it again later.
      stream.on("error", () => undefined);
      const receive = async () => {
        const [code] = codesIn({ mail: await simpleParser(Buffer.concat(chunks)) });
        const [to] = envelope.rcptTo;
        if (to && code !== undefined) codes.set(to.address.toLowerCase(), code);
        done();
      };
      stream.on("end", () => void receive());
    },
  });
  return {
    port: server.port,
    async codeFor(address: string, seconds: number) {
      const latest = performance.now() + 1000 * seconds;
      while (!codes.has(address.toLowerCase()) && performance.now() < latest) await Bun.sleep(20);
      return codes.get(address.toLowerCase());
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
