const ENDING_MS = 3000;
const WAIT_MS = 60_000;
const POLL_MS = 25;

/** A program that a browser is made of. Disposing of it ends it and all that it has started. */
export interface BrowserProgram extends AsyncDisposable {
  readonly pid: number;
  /** What it has written so far, to standard output and standard error. */
  readonly output: () => string;
  /** True while it runs. */
  readonly isRunning: () => boolean;
}

/**
 * Starts a program with nothing in its environment but `env` and the PATH. It ends with the process that has started
 * it, however that ends, and a terminal's Ctrl-C does not reach it before that.
 */
export function startBrowserProgram(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): BrowserProgram {
  const child = Bun.spawn(["setsid", "setpriv", "--pdeathsig", "KILL", ...command], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  const reading = Promise.all([read(child.stdout), read(child.stderr)]);
  return {
    pid: child.pid,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async [Symbol.asyncDispose]() {
      signalGroup(child.pid, "SIGTERM");
      await Promise.race([child.exited, Bun.sleep(ENDING_MS)]);
      // What it has started may outlive it.
      signalGroup(child.pid, "SIGKILL");
      await Promise.all([child.exited, reading]);
    },
  };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}

/**
 * Resolves with what `look` finds as soon as that is something; an error of it counts as nothing. Rejects with
 * `describe()` and the last error when that takes too long.
 */
export async function waitFor<T>(look: () => T | Promise<T>, describe: () => string | Promise<string>) {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    let cause: unknown;
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) throw new Error(await describe(), { cause });
    await Bun.sleep(POLL_MS);
  }
}
