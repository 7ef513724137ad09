import type { CommandResult } from "../../mcp/workspace.ts";
import { createMasker, createMasks, endOf, maskTokens } from "./masks.ts";
import type { Masks } from "./masks.ts";
import { killGroup, startOrphanGuard } from "./orphan-guards.ts";
import type { OrphanGuard } from "./orphan-guards.ts";

/** The length that is kept of each output, in characters. Its end says what went wrong. */
const MAX_OUTPUT = 16 * 1024;
/** Longer than any token, because one that is cut at its beginning isn't recognized. */
const TOKEN_MARGIN = 1024;
/** The time that a command gets to end after SIGTERM. */
const KILL_AFTER_MS = 2000;
/** How long the output is read after the command has ended. Background processes may hold it open forever. */
const DRAIN_MS = 500;

/**
 * Starts a command without a terminal, and captures its output without the values of `secrets`. Processes that it
 * leaves running are stopped after it has ended, and when this process is killed. Throws when the command can't be
 * started.
 */
export function startCaptured(
  command: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly cwd: string;
    readonly secrets: readonly string[];
    readonly timeoutSeconds: number;
    readonly signal: AbortSignal;
  },
): { readonly ended: Promise<CommandResult> } {
  const { env, cwd, secrets, timeoutSeconds, signal } = options;
  // The guard starts first, so that the command can always be ended.
  const guard = startOrphanGuard();
  const child = start(guard, () =>
    Bun.spawn([...command], {
      env: { ...env, ...guard.env },
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      // The command leads a group, so that the processes it starts end with it.
      detached: true,
    }),
  );
  // The masks come after the start: the system refuses values that would be too large for them.
  const masks = createMasks(secrets);
  let timedOut = false;
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    if (killTimer) return;
    killGroup(child.pid, "SIGTERM");
    killTimer = setTimeout(() => killGroup(child.pid, "SIGKILL"), KILL_AFTER_MS);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutSeconds * 1000);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const [stdout, stderr] = [capture(child.stdout, masks), capture(child.stderr, masks)];
  const finish = async (): Promise<CommandResult> => {
    // After a signal, 128 and its number.
    const exitCode = await child.exited;
    for (const each of [timer, killTimer]) clearTimeout(each);
    signal.removeEventListener("abort", stop);
    await Promise.race([Promise.all([stdout.done, stderr.done]), Bun.sleep(DRAIN_MS)]);
    // Processes that are still running would keep the secrets in their environment.
    await guard.end();
    killGroup(child.pid, "SIGKILL");
    const [out, err] = [stdout.end(), stderr.end()];
    return {
      exit_code: exitCode,
      // A cut may leave half of a character.
      stdout: out.text.toWellFormed(),
      stderr: err.text.toWellFormed(),
      truncated: out.isCut || err.isCut,
      timed_out: timedOut,
    };
  };
  return { ended: finish() };
}

/** Starts a command by `spawn` under `guard`; ends the guard when that throws. */
function start<Child extends { readonly pid: number }>(guard: OrphanGuard, spawn: () => Child): Child {
  try {
    const child = spawn();
    guard.watch(child.pid);
    return child;
  } catch (error) {
    void guard.end();
    throw error;
  }
}

/** Reads the end of a stream, masked. */
function capture(stream: ReadableStream<Uint8Array>, masks: Masks) {
  const decoder = new TextDecoder();
  const masker = createMasker(masks);
  let text = "";
  let isCut = false;
  let isOver = false;
  const add = (more: string) => {
    text += more;
    if (text.length <= MAX_OUTPUT + TOKEN_MARGIN) return;
    text = endOf(text, MAX_OUTPUT + TOKEN_MARGIN);
    isCut = true;
  };
  const read = async () => {
    for await (const chunk of stream) {
      if (isOver) return;
      add(masker.push(decoder.decode(chunk, { stream: true })));
      // A command that never stops writing must not keep its own timeout from being noticed.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    // What was read so far is returned, marked as cut off.
    done: read().catch(() => void (isCut = true)),
    end() {
      isOver = true;
      add(masker.push(decoder.decode()));
      add(masker.end());
      const shown = maskTokens(text);
      return { text: endOf(shown, MAX_OUTPUT), isCut: isCut || shown.length > MAX_OUTPUT };
    },
  };
}
