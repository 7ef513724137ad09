import { isUnreadable, toStoreError } from "../files/errors.ts";

/**
 * The time for which a read that failed is told of, though others succeed: long enough for whoever looks every second.
 */
const MEMORY_MS = 5000;
const PROBE_INTERVAL_MS = 1000;

/** Knows of reads that failed, and says so as the port does. */
export interface ReadGuard {
  /** True when reads fail, as far as is known; once one has failed, that is tried again every second at most. */
  isFailing(): boolean;
  /** True when reads fail, or one has failed within the last seconds. */
  hasFailed(): boolean;
  /** Remembers `error` if it is a read that failed. */
  note(error: unknown): void;
  /** `methods`, which reject with a Refusal `storage_unavailable` when the database cannot be read. */
  guard<T extends object>(methods: T): T;
}

/** `probe` reads something from the disk, past all caches, and throws when that fails. */
export function createReadGuard(probe: () => void): ReadGuard {
  let failedAt = -Infinity;
  let probedAt = -Infinity;
  let isBroken = false;

  const note = (error: unknown): void => {
    if (isUnreadable(error) || (error instanceof Error && isUnreadable(error.cause))) {
      failedAt = performance.now();
      isBroken = true;
    }
  };
  const explain = (error: unknown): unknown => {
    note(error);
    return toStoreError(error);
  };
  const guardMethod = (method: (...args: unknown[]) => unknown) => {
    return (...args: unknown[]): unknown => {
      try {
        const result = method(...args);
        return result instanceof Promise ? result.catch((error: unknown) => Promise.reject(explain(error))) : result;
      } catch (error) {
        throw explain(error);
      }
    };
  };
  const isFailing = (): boolean => {
    const now = performance.now();
    if (!isBroken || now - probedAt < PROBE_INTERVAL_MS) return isBroken;
    probedAt = now;
    try {
      probe();
      isBroken = false;
    } catch {
      // The trouble that says so lasts on.
      failedAt = now;
    }
    return isBroken;
  };
  return {
    isFailing,
    hasFailed: () => isFailing() || performance.now() - failedAt < MEMORY_MS,
    note,
    guard: <T extends object>(methods: T) =>
      Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, guardMethod(method)])) as T,
  };
}
