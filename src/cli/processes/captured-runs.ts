import type { CommandResult } from "../../mcp/workspace.ts";
import { createMasker, createMasks, endOf, maskTokens } from "./masks.ts";
import type { Masks } from "./masks.ts";
import { startOrphanGuard } from "./orphan-guards.ts";
import type { OrphanGuard } from "./orphan-guards.ts";
import { killGroup, markProcesses } from "./process-marks.ts";
import type { ProcessMark } from "./process-marks.ts";

/** The length that is kept of each output, in characters: its end says what went wrong. */
const MAX_OUTPUT = 16 * 1024;
/** More than a token has: what is cut at the beginning is no longer known for one. */
const TOKEN_MARGIN = 1024;
/** From asking a command to end to making it. */
const KILL_AFTER_MS = 2000;
/**
 * The time that output is waited for after the command has ended: what it leaves running in the background may hold it
 * open for ever.
 */
const DRAIN_MS = 500;
/** The time a process that is left behind gets to end, and how often it is looked at. */
const REST_MS = 1000;
const POLL_MS = 25;

/**
 * Starts a command that has no terminal, and captures what it puts out without the values of `secrets`. What it leaves
 * running is stopped when it has ended, and it is ended when this process is killed. Throws when it cannot be started.
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
  const mark = markProcesses();
  // Before the command, so that there is no moment in which nothing would end it.
  const guard = startOrphanGuard(mark.name);
  const child = start(guard, () =>
    Bun.spawn([...command], {
      env: { ...env, ...mark.env },
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      // In a group of its own, so that what it has started ends with it.
      detached: true,
    }),
  );
  // Not before: what the system has taken is not too large for them.
  const masks = createMasks(secrets);
  let timedOut = false;
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  const killAll = (deadly: NodeJS.Signals) => {
    killGroup(child.pid, deadly);
    mark.kill(deadly);
  };
  const stop = () => {
    if (killTimer) return;
    killAll("SIGTERM");
    killTimer = setTimeout(() => killAll("SIGKILL"), KILL_AFTER_MS);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutSeconds * 1000);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const [stdout, stderr] = [capture(child.stdout, masks), capture(child.stderr, masks)];
  const finish = async (): Promise<CommandResult> => {
    // Of a signal, 128 and its number.
    const exitCode = await child.exited;
    for (const each of [timer, killTimer]) clearTimeout(each);
    signal.removeEventListener("abort", stop);
    let drain: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise((resolve) => (drain = setTimeout(resolve, DRAIN_MS)));
    await Promise.race([Promise.all([stdout.done, stderr.done]), enough]);
    clearTimeout(drain);
    // What it leaves behind would keep the secrets in its environment for as long as it runs.
    if (!killTimer && mark.isAlive()) {
      killAll("SIGTERM");
      await restOf(mark);
    }
    killAll("SIGKILL");
    // Whom a signal ends is there until the system comes round to it.
    await restOf(mark);
    guard.release();
    const [out, err] = [stdout.end(), stderr.end()];
    return {
      exit_code: exitCode,
      // Where it was cut, half of a character may be left.
      stdout: out.text.toWellFormed(),
      stderr: err.text.toWellFormed(),
      truncated: out.isCut || err.isCut,
      timed_out: timedOut,
    };
  };
  return { ended: finish() };
}

/** Starts a command by `spawn` under the eyes of `guard`, which goes when that throws. */
function start<Child extends { readonly pid: number }>(guard: OrphanGuard, spawn: () => Child): Child {
  try {
    const child = spawn();
    guard.watch(child.pid);
    return child;
  } catch (error) {
    guard.release();
    throw error;
  }
}

/** Resolves once what a command has left running has ended, or after a moment. */
async function restOf(mark: ProcessMark): Promise<void> {
  const until = performance.now() + REST_MS;
  while (mark.isAlive() && performance.now() < until) await Bun.sleep(POLL_MS);
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
    // What could be read is told, as what was cut off.
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
