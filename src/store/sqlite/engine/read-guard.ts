import { storageUnavailable } from "../../../domain/storage-refusals.ts";
import { isDamage, isUnreadable, toStoreError } from "../files/errors.ts";

/**
 * The time for which a read that failed is told of, though others succeed: long enough for whoever looks every second.
 */
const MEMORY_MS = 5000;
const PROBE_INTERVAL_MS = 1000;

/** Knows of reads that failed, and says so as the port does. */
export interface ReadGuard {
  /**
   * True when nothing can be read, as far as is known: once a read has failed, something else is read every second at
   * most. One row that is damaged is no reason to say so, because whoever may ask for it can ask again and again.
   */
  isFailing(): boolean;
  /** True when reads fail, or have failed within the last seconds. */
  hasFailed(): boolean;
  /** True when something could not be read, or was damaged, within the last seconds. */
  hasMetDamage(): boolean;
  /** Remembers `error` if it is a read that failed, or damage that was found. */
  note(error: unknown): void;
  /** Has the methods of `refusable` fail from now on, or no longer: what they read is not what was written. */
  refuse(isRefused: boolean): void;
  /** `methods`, which throw a Refusal `storage_unavailable` while they are refused. */
  refusable<T extends object>(methods: T): T;
  /** `methods`, which reject with a Refusal `storage_unavailable` when the database cannot be read. */
  guard<T extends object>(methods: T): T;
}

/** `probe` reads something from the disk, past all caches, and throws when that fails. */
export function createReadGuard(probe: () => void): ReadGuard {
  let metDamageAt = -Infinity;
  let failedAt = -Infinity;
  let probedAt = -Infinity;
  let isSuspected = false;
  let isBroken = false;
  let isRefused = false;

  const note = (error: unknown): void => {
    const causes = [error, error instanceof Error ? error.cause : undefined];
    if (causes.some(isUnreadable)) isSuspected = true;
    else if (!causes.some(isDamage)) return;
    // While nothing can be read, this is no news of the part that it was about.
    if (!isBroken) metDamageAt = performance.now();
  };
  const explain = (error: unknown): never => {
    note(error);
    throw toStoreError(error);
  };
  const guardMethod = (method: Method): Method => {
    return (...args: unknown[]): unknown => {
      try {
        const result = method(...args);
        return result instanceof Promise ? result.catch(explain) : result;
      } catch (error) {
        return explain(error);
      }
    };
  };
  const refuseMethod = (method: Method): Method => {
    return (...args: unknown[]): unknown => {
      if (isRefused) throw storageUnavailable();
      return method(...args);
    };
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
      // The trouble that says so lasts on.
      failedAt = now;
    }
    return isBroken;
  };
  return {
    isFailing,
    hasFailed: () => isFailing() || performance.now() - failedAt < MEMORY_MS,
    hasMetDamage: () => performance.now() - metDamageAt < MEMORY_MS,
    note,
    refuse: (isNow) => void (isRefused = isNow),
    refusable: (methods) => mapMethods(methods, refuseMethod),
    guard: (methods) => mapMethods(methods, guardMethod),
  };
}

type Method = (...args: unknown[]) => unknown;

function mapMethods<T extends object>(methods: T, change: (method: Method) => Method): T {
  return Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, change(method)])) as T;
}
