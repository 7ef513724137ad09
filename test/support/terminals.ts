import { run } from "../../src/cli/run.ts";
import type { Transcript } from "./program.ts";

/** Runs the command line in this process, where nobody sits at a terminal, and returns what it would have written. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin = "",
): Promise<Transcript> {
  let [stdout, stderr] = ["", ""];
  const exitCode = await run(args, {
    env,
    isTerminal: { in: false, out: false, err: false },
    isOutClosed: false,
    out: (content) => void (stdout += typeof content === "string" ? content : new TextDecoder().decode(content)),
    say: (line) => void (stderr += `${line}\n`),
    show: () => undefined,
    readAll: async () => new TextEncoder().encode(stdin),
    ask: async () => undefined,
    streams: () => ({ input: process.stdin, output: process.stdout }),
    interruptible: () => new AbortController().signal,
    forwardSignals: () => undefined,
    onHangup: () => undefined,
  });
  return { exitCode, stdout, stderr };
}
