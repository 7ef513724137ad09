import { fstatSync, readFileSync, readlinkSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { codeOf } from "../../contract/error-traces.ts";
import { paintLine } from "./colors.ts";
import { createDelayedLines } from "./delayed-lines.ts";
import { usePriorities } from "./log-lines.ts";
import { createPrompts } from "./prompts.ts";
import type { PromptSignals } from "./prompts.ts";
import { reasonOf } from "./system-errors.ts";
import { CommandError, printable } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

const RETRY_MS = 5;

/** The signals of the process, for work that can't be interrupted from within. */
export interface BlockedSignals {
  /** Runs `action`, which may block the process. Meanwhile, a signal ends the process at once. */
  readonly whileBlocked: (action: () => void) => void;
}

/** The terminal of this process. */
export function createProcessTerminal(
  env: Terminal["env"],
  signals: PromptSignals & BlockedSignals & Pick<Terminal, "interruptible" | "onHangup" | "forwardSignals">,
): Terminal {
  const isTerminal = {
    in: isatty(0),
    out: isatty(1),
    err: isatty(2),
  };
  usePriorities(isJournal(env));
  const ask = createPrompts(signals);
  const logged = createDelayedLines(2);
  process.on("exit", logged.finish);
  let isShown = false;
  const show = (line: string) => {
    if (!isTerminal.err || (line === "" && !isShown)) return;
    isShown = line !== "";
    tryWrite(2, `\r\x1b[K${line}`);
  };
  return {
    interruptible: signals.interruptible,
    onHangup: signals.onHangup,
    forwardSignals: signals.forwardSignals,
    env,
    isTerminal,
    isOutClosed: isReplaced(1),
    out(content) {
      try {
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        signals.whileBlocked(() => writeAll(1, bytes));
      } catch (error) {
        throw new CommandError(complaintOf(error), "failure", error);
      }
    },
    log: logged.add,
    say(line) {
      logged.flush();
      show("");
      tryWrite(2, `${paintLine(printable(line))}\n`);
    },
    isQuiet: () => false,
    show,
    isPiped() {
      try {
        const input = fstatSync(0);
        return input.isFIFO() || (input.isFile() && input.size > 0);
      } catch {
        // It is closed.
        return false;
      }
    },
    readAll: () => orInterrupted(signals.interruptible(), Bun.stdin.arrayBuffer()).then((all) => new Uint8Array(all)),
    async *readPieces() {
      const reader = Bun.stdin.stream().getReader();
      const next = () => orInterrupted(signals.interruptible(), reader.read());
      for (let read = await next(); !read.done; read = await next()) yield read.value;
    },
    streams: () => ({ input: process.stdin, output: process.stdout }),
    async ask(question, { hidden = false } = {}) {
      show("");
      return ask(question, hidden);
    },
  };
}

/** What reading standard input resolves with. Throws CommandError when it fails, and once `signal` is aborted. */
async function orInterrupted<T>(signal: AbortSignal, reading: Promise<T>): Promise<T> {
  let interrupt: (() => void) | undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(new CommandError("interrupted", "interrupted"));
    signal.addEventListener("abort", interrupt);
    if (signal.aborted) interrupt();
  });
  try {
    return await Promise.race([reading, interrupted]);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`standard input cannot be read: ${reasonOf(error)}`, "usage", error);
  } finally {
    if (interrupt) signal.removeEventListener("abort", interrupt);
  }
}

/** True when standard error leads to systemd's journal (systemd.exec(5), JOURNAL_STREAM). */
function isJournal(env: Terminal["env"]): boolean {
  const stream = env["JOURNAL_STREAM"];
  if (!stream) return false;
  try {
    const { dev, ino } = fstatSync(2, { bigint: true });
    return stream === `${dev}:${ino}`;
  } catch {
    // It is closed.
    return false;
  }
}

/** True for a descriptor that was closed at the start, where Bun opens /dev/null for reading and writing. */
function isReplaced(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "";
    const isReadWrite = (Number.parseInt(flags, 8) & 0o3) === 2;
    return isReadWrite && readlinkSync(`/proc/self/fd/${descriptor}`) === "/dev/null";
  } catch {
    // It isn't Linux, so there is no way to tell.
    return false;
  }
}

/** Writes all of it before it returns, since data left in a stream is lost when the process exits. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") throw error;
      Bun.sleepSync(RETRY_MS);
    }
  }
}

/** The reason why standard output can't be written. */
function complaintOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "standard output is full";
    case "EPIPE":
    case "EBADF":
      return "standard output is closed";
    default:
      return `standard output cannot be written: ${reasonOf(error)}`;
  }
}

/** Standard error may be closed; that is no reason to fail. */
function tryWrite(descriptor: number, text: string): void {
  try {
    writeAll(descriptor, new TextEncoder().encode(text));
  } catch {
    // There is nobody left to tell.
  }
}
