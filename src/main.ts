import { run } from "./cli/run.ts";

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

const interruption = new AbortController();
let isTakenOver = false;

for (const [signal, number] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    if (!isTakenOver || interruption.signal.aborted) process.exit(128 + number);
    interruption.abort();
  });
}

// In a function: an executable with bytecode has no top-level await.
async function main(): Promise<void> {
  const exitCode = await run(process.argv.slice(2), {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    say: (line) => void process.stderr.write(`${line}\n`),
    interruptible() {
      isTakenOver = true;
      return interruption.signal;
    },
  });
  process.exit(exitCode);
}

void main();
