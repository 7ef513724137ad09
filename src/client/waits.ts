import { pause } from "./deadlines.ts";
import { ClientError } from "./errors.ts";
import { interrupted } from "./network-errors.ts";

/** How long a wait may overrun, for an answer that the server has delayed until its end. */
const OVERTIME_MS = 2000;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The least time between two calls, for a server that answers without waiting. */
const MIN_STEP_MS = 1000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;

/** The failures that pass: a server restarts, or the network is down. */
const TRANSIENT: ReadonlySet<ClientError["code"]> = new Set([
  "connection_failed",
  "connection_lost",
  "host_unknown",
  "timed_out",
  "gateway_unavailable",
  "rate_limited",
  "server_busy",
  "storage_unavailable",
]);

/** True for a failure that passes by itself, such as a restarting server. */
export function isTransient(error: unknown): error is ClientError {
  return error instanceof ClientError && TRANSIENT.has(error.code);
}

/** The pause in milliseconds after so many failures in a row. It doubles, up to half a minute. */
export function pauseAfter(failures: number): number {
  return Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
}

/** A wait for something to happen to one secret or request. */
export interface Wait {
  /** The length of the wait; Infinity for no end. */
  readonly seconds: number;
  /** How long the server may delay the answer to one call. */
  readonly stepSeconds: number;
  readonly signal: AbortSignal;
  /** Called after each answer with the seconds that have passed. */
  readonly onStep?: (seconds: number) => Promise<void>;
  /** Called with each passing failure, and its number since the last answer. */
  readonly onLost?: ((error: ClientError, failures: number) => void) | undefined;
  /** Called after the first answer that follows such failures. */
  readonly onBack?: (() => void) | undefined;
  /** True when the server has answered before, so that the wait goes on if its first call fails. */
  readonly isUnderWay?: boolean;
  /** The clock of this process; tests replace it. */
  readonly clock?: WaitClock;
}

/** A clock in milliseconds. */
interface WaitClock {
  readonly now: () => number;
  readonly sleep: typeof pause;
}

const PROCESS_CLOCK: WaitClock = { now: () => performance.now(), sleep: pause };

/**
 * Waits, without polling, until `isOver` is true of the answer, or the time is over. Returns the last answer. `look`
 * makes one call, which the server may delay by `stepSeconds`, and which ends when `until` is aborted. Once the server
 * has answered, the wait goes on through restarts and outages. Throws ClientError: `interrupted` when the signal is
 * aborted, failures that don't pass, and the last failure when the time is over.
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
      // A server without a free waiting slot answers at once.
      const early = Math.min(step * 1000, MIN_STEP_MS) - (clock.now() - asked);
      if (early > 0) await clock.sleep(early, signal);
      if (!signal.aborted) await wait.onStep?.(passed());
    } catch (error) {
      if (!hasBegun || signal.aborted || !isTransient(error) || passed() >= wait.seconds) throw error;
      failures += 1;
      wait.onLost?.(error, failures);
      await clock.sleep(Math.min(pauseAfter(failures), start + wait.seconds * 1000 - clock.now()), signal);
    }
    if (signal.aborted) throw interrupted();
    step = Math.min(wait.stepSeconds, Math.max(1, wait.seconds - passed()));
  }
}
