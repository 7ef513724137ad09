import { afterAll } from "bun:test";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { handoffCommand } from "./executable.ts";
import { UNLIMITED } from "./executions.ts";
import { freePort } from "./ports.ts";
import { startProgram } from "./running.ts";
import type { RunningProgram } from "./running.ts";
import { temporaryFolder } from "./temporary.ts";
import { runHere } from "./terminals.ts";

const ALL_SCOPES = ["create", "read", "claim", "revoke"].map((each) => `secrets:${each}`);
const TIMEOUT_MS = 20_000;
const UMASK = process.umask();

/** The outcome of a finished command. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CallOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** Somebody with a home of their own, who runs the compiled executable in it. */
export interface Person {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: CallOptions): Promise<Outcome>;
  /** The same, for commands that must succeed; resolves with standard output without its last line end. */
  must(args: readonly string[], options?: CallOptions): Promise<string>;
  /** Every file in the home, without the folders in which programs keep their caches. */
  files(): string[];
}

/** The compiled executable serving, and people who use it. */
export interface Place extends AsyncDisposable {
  readonly server: RunningProgram;
  readonly folder: string;
  /** The name of the team to which they all belong. */
  readonly team: string;
  /**
   * Runs an admin command over the data of the server, in this process, which takes a fifth of the time. Resolves with
   * its standard output without its last line end; rejects when it fails.
   */
  admin(...args: readonly string[]): Promise<string>;
  /** Somebody who has not logged in. */
  person(name: string): Person;
  /** Somebody with a key of these scopes in the environment; all for secrets unless said otherwise. */
  member(name: string, scopes?: readonly string[]): Promise<Person>;
  mint(scopes?: readonly string[]): Promise<string>;
}

/** A running server, and its data folder. */
interface Serving {
  readonly server: RunningProgram;
  readonly data: string;
}

/** `via` is the command that starts the server, if it is not started by itself. */
export async function openPlace(flags: readonly string[] = [], via: readonly string[] = []): Promise<Place> {
  const temporary = temporaryFolder();
  const data = join(temporary.path, "data");
  const serve = ["serve", "--listen", "127.0.0.1:0", "--data-dir", data, ...UNLIMITED, ...flags];
  const server = await startProgram(serve, {}, "/", via);
  return {
    ...(await openTeam({ server, data }, temporary.path, { team: "team", identities: "i" })),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      temporary[Symbol.dispose]();
    },
  };
}

/** The same at the name `localhost`: browsers have no passkeys for addresses. */
export async function openNamedPlace(flags: readonly string[] = []): Promise<Place> {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const place = await openPlace(["--listen", `127.0.0.1:${port}`, "--base-url", url, ...flags]);
  return { ...place, server: { ...place.server, url } };
}

/**
 * Starts one server for all tests of a file that change nothing but secrets and requests. Returns a function that opens
 * a place there, with a team and homes of its own.
 */
export function shareServer(flags: readonly string[] = []): () => Promise<Place> {
  const temporary = temporaryFolder();
  const data = join(temporary.path, "data");
  let starting: Promise<RunningProgram> | undefined;
  let teams = 0;
  afterAll(async () => {
    await (await starting)?.[Symbol.asyncDispose]();
    temporary[Symbol.dispose]();
  });
  return async () => {
    const limits = [...UNLIMITED, "--failed-authentications", "1000000", ...flags];
    starting ??= startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", data, ...limits]);
    const server = await starting;
    teams += 1;
    const names = { team: `team-${teams}`, identities: `i${teams}-` };
    const folder = join(temporary.path, names.team);
    return {
      ...(await openTeam({ server, data }, folder, names)),
      [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
    };
  };
}

/** Makes a team on a server. Its members have their homes in `folder`. */
async function openTeam(
  { server, data }: Serving,
  folder: string,
  { team, identities }: { readonly team: string; readonly identities: string },
): Promise<Omit<Place, keyof AsyncDisposable>> {
  const admin: Place["admin"] = async (...args) => {
    try {
      const env = { HOME: "/nonexistent", HANDOFF_DATA_DIR: data };
      const { stdout, stderr, exitCode } = await runHere(["admin", ...args], env);
      if (exitCode !== 0) throw new Error(stderr);
      return stdout.trimEnd();
    } finally {
      // An admin command makes files for its user alone.
      process.umask(UMASK);
    }
  };
  await admin("team", "create", team);
  let minted = 0;
  const mint = (scopes: readonly string[] = ALL_SCOPES) =>
    admin("key", "create", "--team", team, "--identity", `${identities}${++minted}`, "--scope", scopes.join(","));
  const person = (name: string, env: Readonly<Record<string, string>> = {}) =>
    openPerson(join(folder, "homes", name), env);
  return {
    server,
    folder,
    team,
    admin,
    person: (name) => person(name),
    member: async (name, scopes) => person(name, { HANDOFF_URL: server.url, HANDOFF_API_KEY: await mint(scopes) }),
    mint,
  };
}

/** Somebody whose home is `home`. */
export function openPerson(home: string, own: Readonly<Record<string, string>> = {}): Person {
  mkdirSync(home, { recursive: true });
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", ...own };
  const run: Person["run"] = async (args, { stdin = "", env: more = {} } = {}) => {
    const child = Bun.spawn([...handoffCommand(), ...args], {
      cwd: home,
      env: { ...env, ...more },
      stdin: new Blob([stdin]),
      stdout: "pipe",
      stderr: "pipe",
      timeout: TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.bytes(), child.stderr.text(), child.exited]);
    // Byte for byte, also where it is no text.
    return { exitCode, stdout: Buffer.from(stdout).toString("latin1"), stderr };
  };
  return {
    home,
    env,
    run,
    async must(args, options) {
      const { exitCode, stdout, stderr } = await run(args, options);
      if (exitCode !== 0) throw new Error(`handoff ${args[0]} ended with ${exitCode}: ${stderr}`);
      return stdout.replace(/\n$/, "");
    },
    files: () =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
        .filter((name) => !name.startsWith(".cache/"))
        .toSorted(),
  };
}

/**
 * Runs the executable as `person` in a terminal and types `answers`, each when what it answers is on the screen.
 * Resolves with the exit code and everything that was shown.
 */
export async function runInTerminal(
  person: Person,
  args: readonly string[],
  answers: readonly (readonly [shown: string, typed: string])[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number; readonly screen: string }> {
  const { exited, screen } = startInTerminal(person, [...handoffCommand(), ...args], answers, env);
  return { exitCode: await exited, screen: screen() };
}

/** The modes of a terminal: how it treats what is typed and shown. */
type TerminalModes = Readonly<Record<"input" | "output" | "local" | "control", number>>;

/** A command that runs in a terminal. */
export interface Session {
  readonly exited: Promise<number>;
  /** Everything that was shown so far. */
  readonly screen: () => string;
  /** Resolves once `text` is on the screen, with how the terminal is then. */
  readonly untilShown: (text: string) => Promise<TerminalModes>;
  /** The modes that the terminal has now. */
  readonly modes: () => TerminalModes;
  kill(signal: NodeJS.Signals): void;
  type(text: string): void;
}

/** Starts `command` as `person` in a terminal; see `runInTerminal`. */
export function startInTerminal(
  person: Person,
  command: readonly string[],
  answers: readonly (readonly [shown: string, typed: string])[] = [],
  env: Readonly<Record<string, string>> = {},
): Session {
  let screen = "";
  let read = 0;
  const left = [...answers];
  const decoder = new TextDecoder();
  const child = Bun.spawn([...command], {
    cwd: person.home,
    // Colors would stand in the middle of the texts that tests look for. A test can ask for them.
    env: { ...person.env, TERM: "xterm", NO_COLOR: "1", ...env },
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    // Given so, and not as an object of its own, it is the one that Ctrl-Z and /dev/tty mean.
    terminal: {
      cols: 100,
      rows: 40,
      data(terminal, bytes) {
        screen += decoder.decode(bytes, { stream: true });
        const [next] = left;
        if (!next || !screen.includes(next[0], read)) return;
        read = screen.length;
        left.shift();
        terminal.write(next[1]);
      },
    },
  });
  const { terminal } = child;
  if (!terminal) throw new Error("there is no terminal");
  const modes = () => ({
    input: terminal.inputFlags,
    output: terminal.outputFlags,
    local: terminal.localFlags,
    control: terminal.controlFlags,
  });
  return {
    exited: child.exited,
    screen: () => screen,
    async untilShown(text) {
      while (!screen.includes(text)) {
        if (child.exitCode !== null) throw new Error(`it ended before it showed '${text}': ${screen}`);
        await Bun.sleep(10);
      }
      return modes();
    },
    modes,
    kill: (signal) => child.kill(signal),
    type: (text) => void terminal.write(text),
  };
}
