import { isUnreadable, toStoreError } from "../files/errors.ts";

/** How long a read that failed counts. Pages that were read before come from memory, and say nothing of the disk. */
const MEMORY_MS = 60_000;

/** Knows of reads that failed, and says so as the port does. */
export interface ReadGuard {
  /** Whether a read has failed within the last minute. */
  hasFailed(): boolean;
  /** Remembers `error` if it is a read that failed. */
  note(error: unknown): void;
  /** `methods`, which reject with a Refusal `storage_unavailable` when the database cannot be read. */
  guard<T extends object>(methods: T): T;
}

export function createReadGuard(): ReadGuard {
  let failedAt = -Infinity;

  const note = (error: unknown): void => {
    if (isUnreadable(error) || (error instanceof Error && isUnreadable(error.cause))) failedAt = performance.now();
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
  return {
    hasFailed: () => performance.now() - failedAt < MEMORY_MS,
    note,
    guard: <T extends object>(methods: T) =>
      Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, guardMethod(method)])) as T,
  };
}
