import { openSync } from "node:fs";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { WriteStream } from "node:tty";
import { openKeyboard } from "./keyboards.ts";
import type { Keyboard } from "./keyboards.ts";
import { CommandError, usageError } from "./terminal.ts";

const TERMINAL_DEVICE = "/dev/tty";
const END_OF_TRANSMISSION = "\u0004";

/** The signals of the process, while a question is on the screen. */
export interface PromptSignals {
  /** Until the returned function is called, the first signal calls `interrupt`, and SIGCONT calls `resume`. */
  readonly duringPrompt: (prompt: { readonly interrupt: () => void; readonly resume: () => void }) => () => void;
  /**
   * Stops the foreground processes of the terminal, as Ctrl-Z does. Returns when they continue, or can't be stopped.
   */
  readonly suspend: () => void;
}

/** Returns a function that asks the person at the terminal, see `Terminal.ask`. */
export function createPrompts(
  signals: PromptSignals,
): (question: string, hidden: boolean) => Promise<string | undefined> {
  let screen: WriteStream | undefined;
  return async (question, hidden) => {
    let keyboard: Keyboard;
    try {
      screen ??= openScreen();
      keyboard = openKeyboard();
    } catch {
      return undefined;
    }
    try {
      return await ask(keyboard, screen, question, hidden, signals);
    } finally {
      keyboard.close();
    }
  };
}

/** The terminal, even if standard output leads elsewhere. Throws when there is none. */
function openScreen(): WriteStream {
  const screen = new WriteStream(openSync(TERMINAL_DEVICE, "w"));
  // When the terminal is gone, reading from it reports that.
  screen.on("error", () => undefined);
  return screen;
}

async function ask(input: Keyboard, output: WriteStream, question: string, hidden: boolean, signals: PromptSignals) {
  const { promise: answered, resolve, reject } = Promise.withResolvers<string>();
  const interrupt = () => reject(new CommandError("interrupted", "interrupted"));
  const keys = watchKeys(input, interrupt);
  const shown = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : output;
  const editor = createInterface({ input, output: shown, terminal: true, historySize: 0, prompt: question });
  const draw = () => {
    if (hidden) output.write(`\r\x1b[K${question}`);
    else editor.prompt(true);
  };
  const resume = () => {
    // The shell has set the terminal modes for itself, which the stream doesn't know.
    input.setRawMode(false);
    input.setRawMode(true);
    draw();
  };
  const suspend = () => {
    input.setRawMode(false);
    signals.suspend();
    resume();
  };
  editor.on("line", resolve).on("SIGINT", interrupt).on("SIGTSTP", suspend).on("close", interrupt);
  const stop = signals.duringPrompt({ interrupt, resume });
  let isAnswered = false;
  try {
    draw();
    const answer = await answered;
    isAnswered = true;
    if (keys.hasMore()) throw usageError("more than one line was pasted, and a prompt takes one: pipe it in instead");
    return answer;
  } finally {
    stop();
    keys.stop();
    editor.close();
    // What was typed isn't echoed, and neither is its line end.
    if (hidden || !isAnswered) output.write("\n");
  }
}

/** Watches for Ctrl-D, a terminal that is gone, and further pasted lines, which the line editor doesn't report. */
function watchKeys(input: Keyboard, interrupt: () => void) {
  let hasMore = false;
  const onData = (chunk: Uint8Array) => {
    const text = new TextDecoder().decode(chunk);
    if (text.includes(END_OF_TRANSMISSION)) interrupt();
    hasMore ||= /[\r\n][^\r\n]/.test(text);
  };
  input.on("data", onData).on("end", interrupt).on("error", interrupt);
  return {
    hasMore: () => hasMore,
    stop: () => void input.off("data", onData).off("end", interrupt).off("error", interrupt),
  };
}
