import { storageUnavailable } from "../../../domain/storage-refusals.ts";
import { isDamage, isUnreadable, toStoreError } from "../files/errors.ts";

/** How long a failed read counts after others have succeeded: health is asked for every few seconds. */
const MEMORY_MS = 5000;
const PROBE_INTERVAL_MS = 1000;

/** Knows whether reads fail, and turns their errors into refusals. */
export interface ReadGuard {
  /**
   * True when nothing can be read. After a failed read, something else is read, at most once a second: one damaged row
   * doesn't count, because callers can ask for it repeatedly.
   */
  isFailing(): boolean;
  /** True when reads fail, or have failed within the last seconds. */
  hasFailed(): boolean;
  /** True when something was damaged or unreadable within the last seconds. */
  hasMetDamage(): boolean;
  /** Remembers `error` if it is a failed read, or damage. */
  note(error: unknown): void;
  /**
   * Refuses all calls of the methods of `refusable` from now on, because they would read something other than what was
   * written.
   */
  refuse(): void;
  /** `methods`, which throw a Refusal `storage_unavailable` once they are refused. */
  refusable<T extends object>(methods: T): T;
  /** `methods`, which reject with a Refusal `storage_unavailable` when the database can't be read. */
  guard<T extends object>(methods: T): T;
}

/** `probe` reads something from the disk, past all caches, and throws when that fails. */
export function createReadGuard(probe: () => void): ReadGuard {
  let [metDamageAt, failedAt, probedAt] = [-Infinity, -Infinity, -Infinity];
  let isSuspected = false;
  let isBroken = false;
  let isRefused = false;

  const note = (error: unknown): void => {
    const causes = [error, error instanceof Error ? error.cause : undefined];
    if (causes.some(isUnreadable)) isSuspected = true;
    else if (!causes.some(isDamage)) return;
    // While nothing can be read, another failure is no news.
    if (!isBroken) metDamageAt = performance.now();
  };
  const explain = (error: unknown): never => {
    note(error);
    throw toStoreError(error);
  };
  const isFailing = (): boolean => {
    const now = performance.now();
    if (!isSuspected || now - probedAt < PROBE_INTERVAL_MS) return isBroken;
    probedAt = now;
    try {
      probe();
      isBroken = false;
      isSuspected = false;
    } catch {
      isBroken = true;
      metDamageAt = -Infinity;
      failedAt = now;
    }
    return isBroken;
  };
  return {
    isFailing,
    hasFailed: () => isFailing() || performance.now() - failedAt < MEMORY_MS,
    hasMetDamage: () => performance.now() - metDamageAt < MEMORY_MS,
    note,
    refuse: () => void (isRefused = true),
    refusable: (methods) =>
      mapMethods(methods, (method, args) => {
        if (isRefused) throw storageUnavailable();
        return method(...args);
      }),
    guard: (methods) =>
      mapMethods(methods, (method, args) => {
        try {
          const result = method(...args);
          return result instanceof Promise ? result.catch(explain) : result;
        } catch (error) {
          return explain(error);
        }
      }),
  };
}

type Method = (...args: unknown[]) => unknown;

function mapMethods<T extends object>(methods: T, call: (method: Method, args: unknown[]) => unknown): T {
  const entries = Object.entries(methods).map(([name, method]) => [name, (...args: unknown[]) => call(method, args)]);
  return Object.fromEntries(entries) as T;
}
