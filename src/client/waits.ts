import { ClientError } from "./errors.ts";
import { interrupted } from "./network-errors.ts";
import { pause } from "./pauses.ts";

/** The time beyond its own in which a wait may end: for the answer of a server that has held it back until then. */
const OVERTIME_MS = 2000;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The least time between two calls of a wait: a server that answers at once is not to be asked without end. */
const MIN_STEP_MS = 1000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/** The failures that pass: a server restarts, or the network is away. */
const PASSING: ReadonlySet<ClientError["code"]> = new Set([
  "connection_failed",
  "connection_lost",
  "host_unknown",
  "timed_out",
  "gateway_unavailable",
  "rate_limited",
  "server_busy",
  "storage_unavailable",
]);

/** True for a failure that passes by itself, such as a server that restarts. */
export function isPassing(error: unknown): error is ClientError {
  return error instanceof ClientError && PASSING.has(error.code);
}

/** The pause after so many failures in a row, in milliseconds: it doubles, up to half a minute. */
export function pauseAfter(failures: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
}

/** A wait for something to happen to one secret or request. */
export interface Wait {
  /** In all; Infinity for as long as it takes. */
  readonly seconds: number;
  /** The time that one call of the server waits. */
  readonly stepSeconds: number;
  readonly signal: AbortSignal;
  /** Called after each answer with the seconds that have passed. */
  readonly onStep?: (seconds: number) => Promise<void>;
  /** Called with each failure that passes, and its number since the last answer. */
  readonly onLost?: ((error: ClientError, failures: number) => void) | undefined;
  /** Called with the first answer after such failures. */
  readonly onBack?: (() => void) | undefined;
  /** True when the server has answered before, so that a first call that fails is not the last. */
  readonly isUnderWay?: boolean;
  /** The clock; that of this process unless a test says otherwise. */
  readonly clock?: WaitClock;
}

/** The clock by which waits are measured, in milliseconds. */
interface WaitClock {
  readonly now: () => number;
  readonly sleep: typeof pause;
}

const PROCESS_CLOCK: WaitClock = { now: () => performance.now(), sleep: pause };

/**
 * Waits, without polling, until `isOver` is true of the answer, or the time is over. Returns the last answer. `look` makes one
 * call, which the server may hold back for so many seconds, and which ends when `until` is aborted. Once the server has answered, the wait goes on through restarts
 * and outages. Throws ClientError: `interrupted` by the signal, what doesn't pass, and what still fails when the time is over.
 */
export async function waitFor<T>(
  look: (stepSeconds: number, until: AbortSignal) => Promise<T>,
  isOver: (answer: T) => boolean,
  wait: Wait,
): Promise<T> {
  const { clock = PROCESS_CLOCK, signal } = wait;
  const start = clock.now();
  const passed = () => Math.floor((clock.now() - start) / 1000);
  let hasBegun = wait.isUnderWay ?? false;
  let failures = 0;
  for (let step = 0; ;) {
    const asked = clock.now();
    const late = new AbortController();
    const leftMs = Math.max(0, start + wait.seconds * 1000 - asked);
    const timer = setTimeout(() => late.abort(), Math.min(leftMs + OVERTIME_MS, MAX_TIMER_MS));
    try {
      const answer = await look(step, late.signal).finally(() => clearTimeout(timer));
      if (failures > 0) wait.onBack?.();
      hasBegun = true;
      failures = 0;
      if (isOver(answer) || passed() >= wait.seconds) return answer;
      // A server on which too many wait answers at once.
      const early = Math.min(step * 1000, MIN_STEP_MS) - (clock.now() - asked);
      if (early > 0) await clock.sleep(early, signal);
      if (!signal.aborted) await wait.onStep?.(passed());
    } catch (error) {
      if (!hasBegun || signal.aborted || !isPassing(error) || passed() >= wait.seconds) throw error;
      failures += 1;
      wait.onLost?.(error, failures);
      await clock.sleep(Math.min(pauseAfter(failures), start + wait.seconds * 1000 - clock.now()), signal);
    }
    if (signal.aborted) throw interrupted();
    step = Math.min(wait.stepSeconds, Math.max(1, wait.seconds - passed()));
  }
}
