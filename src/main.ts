import { preventCoreDumps } from "./cli/processes/core-dumps.ts";
import { run } from "./cli/run.ts";
import { tellFailure, tellServerEnd } from "./cli/terminal/failures.ts";
import { createProcessTerminal } from "./cli/terminal/process-terminal.ts";
import type { PromptSignals } from "./cli/terminal/prompts.ts";

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

const interruption = new AbortController();
let isTakenOver = false;
let hangup: (() => void) | undefined;
let prompt: Parameters<PromptSignals["duringPrompt"]>[0] | undefined;
let forward: ((signal: NodeJS.Signals) => void) | undefined;

const listeners = Object.entries(SIGNALS).map(([name, number]) => {
  const signal = name as keyof typeof SIGNALS;
  return [signal, () => receive(signal, number)] as const;
});

function receive(signal: keyof typeof SIGNALS, number: number): void {
  if (signal === "SIGHUP" && hangup) return hangup();
  if (forward) return forward(signal);
  if (prompt && !interruption.signal.aborted) {
    interruption.abort();
    return prompt.interrupt();
  }
  if (!isTakenOver || interruption.signal.aborted) process.exit(128 + number);
  interruption.abort();
}

for (const [signal, listener] of listeners) process.on(signal, listener);
process.on("SIGCONT", () => prompt?.resume());

const environment = { ...process.env };
// Bun's fetch obeys it, and certificates would count for nothing.
delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];

const terminal = createProcessTerminal(environment, {
  interruptible() {
    isTakenOver = true;
    return interruption.signal;
  },
  onHangup: (listener) => void (hangup = listener),
  duringPrompt(asked) {
    prompt = asked;
    return () => void (prompt = undefined);
  },
  whileBlocked(action) {
    for (const [signal, listener] of listeners) process.off(signal, listener);
    try {
      action();
    } finally {
      for (const [signal, listener] of listeners) process.on(signal, listener);
    }
  },
  suspend: () => void process.kill(0, "SIGTSTP"),
  forwardSignals: (handler) => void (forward = handler),
});

const args = process.argv.slice(2);
const tell = args[0] === "serve" ? tellServerEnd : tellFailure;
// What is thrown where nobody waits for it: Bun would print its message, and the lines of the program around it.
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error: unknown) => process.exit(tell(terminal, error, { args })));
}

preventCoreDumps();
process.exit(await run(args, terminal));
