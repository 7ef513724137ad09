import { run } from "../../src/cli/run.ts";
import { CommandError } from "../../src/cli/terminal/terminal.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";
import type { Transcript } from "./program.ts";

const PIECE_BYTES = 65_536;

/** A terminal that nobody sees, and what was written to it. */
export interface TestTerminal extends Terminal {
  /** Standard output so far, as text. */
  readonly output: () => string;
  /** The lines of standard error so far. */
  readonly said: readonly string[];
  /** The questions that were asked, with what was to be hidden marked so. */
  readonly asked: readonly string[];
  /** Interrupts, as Ctrl-C does. */
  readonly interrupt: () => void;
}

export interface TestTerminalOptions {
  readonly env?: Terminal["env"];
  /** Nobody is at the terminal unless this says so. */
  readonly isTerminal?: Partial<Terminal["isTerminal"]>;
  readonly isOutClosed?: boolean;
  readonly stdin?: string | Uint8Array;
  /** The lines that are typed, question after question; nobody is at the terminal after the last one. */
  readonly answers?: readonly string[];
}

/** A terminal for a test. Standard output that is closed takes nothing, as that of a process does. */
export function createTestTerminal(options: TestTerminalOptions = {}): TestTerminal {
  const { env = {}, isOutClosed = false, stdin = "", answers = [] } = options;
  const written: Uint8Array[] = [];
  const said: string[] = [];
  const asked: string[] = [];
  const left = [...answers];
  const interruption = new AbortController();
  return {
    env,
    isTerminal: { in: false, out: false, err: false, ...options.isTerminal },
    isOutClosed,
    out(content) {
      if (isOutClosed) throw new CommandError("standard output is closed");
      written.push(Buffer.from(content as string));
    },
    say: (line) => void said.push(line),
    isQuiet: () => false,
    log: (line) => void said.push(line.trimEnd()),
    show: () => undefined,
    isPiped: () => stdin.length > 0,
    readAll: async () => new Uint8Array(Buffer.from(stdin as string)),
    async *readPieces() {
      const bytes = new Uint8Array(Buffer.from(stdin as string));
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
    },
    async ask(question, { hidden = false } = {}) {
      if (interruption.signal.aborted) throw new CommandError("interrupted", "interrupted");
      asked.push(hidden ? `${question}[hidden]` : question);
      return left.shift();
    },
    streams: () => ({ input: process.stdin, output: process.stdout }),
    interruptible: () => interruption.signal,
    forwardSignals: () => undefined,
    onHangup: () => undefined,
    output: () => Buffer.concat(written).toString(),
    said,
    asked,
    interrupt: () => interruption.abort(),
  };
}

/** Runs the command line in this process, where nobody sits at a terminal, and returns what it would have written. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin = "",
): Promise<Transcript> {
  const terminal = createTestTerminal({ env, stdin });
  const exitCode = await run(args, terminal);
  return { exitCode, stdout: terminal.output(), stderr: terminal.said.map((line) => `${line}\n`).join("") };
}
