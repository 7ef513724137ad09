import { openSync, writeSync } from "node:fs";
import { isatty, ReadStream, WriteStream } from "node:tty";
import { read } from "read";
import { CommandError, EXIT, type Terminal } from "./terminal.ts";

const RETRY_MS = 5;
const TERMINAL_DEVICE = "/dev/tty";

/** The terminal that this process was started in. */
export function createProcessTerminal(signals: Pick<Terminal, "interruptible" | "forwardSignals">): Terminal {
  const isTerminal = {
    in: isatty(0),
    out: isatty(1),
    err: isatty(2),
  };
  const ask = createAsk();
  let isShown = false;
  const show = (line: string) => {
    if (!isTerminal.err || (line === "" && !isShown)) return;
    isShown = line !== "";
    tryWrite(2, `\r\x1b[K${line}`);
  };
  return {
    ...signals,
    env: process.env,
    isTerminal,
    out(content) {
      try {
        writeAll(1, typeof content === "string" ? new TextEncoder().encode(content) : content);
      } catch (error) {
        const isFull = error instanceof Error && "code" in error && error.code === "ENOSPC";
        throw new CommandError(
          isFull ? "standard output is full: nothing is lost, make room and try again" : "standard output is closed",
        );
      }
    },
    say(line) {
      show("");
      tryWrite(2, `${line}\n`);
    },
    show,
    readAll: async () => new Uint8Array(await Bun.stdin.arrayBuffer()),
    async ask(question, { hidden = false } = {}) {
      show("");
      return ask(question, hidden);
    },
  };
}

/** Where questions are asked. */
interface Device {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

function createAsk(): (question: string, hidden: boolean) => Promise<string | undefined> {
  let device: Device | undefined;
  return async (question, hidden) => {
    // Opened once: of a second stream on the same terminal Bun reads nothing.
    device ??= openDevice();
    if (device === undefined) return undefined;
    try {
      const answer = await read({ prompt: question, silent: hidden, ...device });
      return answer;
    } catch {
      throw new CommandError("interrupted", EXIT.interrupted);
    } finally {
      // What was typed is not shown, its end neither.
      if (hidden) device.output.write("\n");
    }
  };
}

/** The terminal, even if standard input comes from elsewhere; undefined when there is none. */
function openDevice(): Device | undefined {
  try {
    const descriptor = openSync(TERMINAL_DEVICE, "r+");
    return { input: new ReadStream(descriptor), output: new WriteStream(descriptor) };
  } catch {
    return undefined;
  }
}

/** Writes all of it before it returns: what is left to a stream is lost when the process exits. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Bun.sleepSync(RETRY_MS);
    }
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
