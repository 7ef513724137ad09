import type { Terminal } from "./terminal.ts";

/** What `less` does where LESS doesn't say: keep colors, leave the text there, and end at once if all fits. */
const LESS = "FRX";

/**
 * Writes `text` to standard output: on a terminal through $PAGER, or else through `less`. Writes it as it is where
 * neither is there or works. Throws CommandError when it can't be written.
 */
export function writePaged(terminal: Terminal, text: string): void {
  const { env, isTerminal, out } = terminal;
  const command = env["PAGER"] ?? (Bun.which("less", { PATH: env["PATH"] ?? "" }) ? "less" : "");
  if (!isTerminal.out || command === "" || !hasShown(terminal, command, text)) out(text);
}

function hasShown({ env, forwardSignals }: Terminal, command: string, text: string): boolean {
  // A pager has no need of an API key.
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("HANDOFF_")));
  // Ctrl-C is for the pager.
  forwardSignals(() => undefined);
  try {
    const { exitCode, signalCode } = Bun.spawnSync(["/bin/sh", "-c", command], {
      stdin: Buffer.from(text),
      stdout: "inherit",
      stderr: "inherit",
      env: { LESS, LESSCHARSET: "utf-8", LV: "-c", ...own },
    });
    return exitCode === 0 || signalCode !== undefined;
  } catch {
    return false;
  }
}
