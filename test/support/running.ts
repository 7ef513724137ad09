import { handoffCommand } from "./executable.ts";

/** The compiled executable, serving. */
export interface RunningProgram extends AsyncDisposable {
  /** The URL at which it listens. */
  readonly url: string;
  readonly pid: number;
  /** The text that it has written to standard error so far. */
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code; 128 and the number of the signal that ended it. */
  readonly exited: Promise<number>;
}

/**
 * Starts the compiled executable with `args`, by the command `via` if there is one, and resolves once it listens.
 * Rejects with its last words if it ends.
 */
export async function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = "/",
  via: readonly string[] = [],
): Promise<RunningProgram> {
  const child = Bun.spawn([...via, ...handoffCommand(), ...args], {
    cwd,
    env: { HOME: "/nonexistent", ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let stderr = "";
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      stderr += decoder.decode(chunk, { stream: true });
      const line = stderr.split("\n").find((each) => each.includes('"msg":"listening"') && each.endsWith("}"));
      if (line) resolve(JSON.parse(line).url);
      // With --log-format text.
      const [, url] = / listening .*\burl=(\S+) .*\n/.exec(stderr) ?? [];
      if (url !== undefined) resolve(url);
    }
    reject(new Error(`the program ended before it listened: ${stderr}`));
  };
  const reading = read();
  const url = await listening;
  return {
    url,
    pid: child.pid,
    stderr: () => stderr,
    kill: (signal) => child.kill(signal),
    exited: child.exited,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
      await reading;
    },
  };
}
