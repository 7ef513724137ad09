import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../src/main.ts");

/** The outcome of a finished command. */
export interface Transcript {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real program from its source in a process of its own, with nothing in its environment but `env`. */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Transcript> {
  const child = startProgramHere(args, env);
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
}

/** Starts the real program from its source in a process of its own, with nothing in its environment but `env`. */
export function startProgramHere(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return Bun.spawn([process.execPath, MAIN, ...args], {
    // Bun's own cache of what it has transpiled is not a file that the program leaves behind.
    env: { HOME: "/nonexistent", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}
