import { isTooSlow } from "./errors.ts";

interface Lookup<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches lookups (as a DataLoader does): keys that are requested in the same tick, or while `readAll` runs, go into
 * one `readAll`. A value is never older than its request. Resolves undefined where `readAll` finds no value.
 */
export function batchLookups<Key, Value>(
  readAll: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>,
): (key: Key) => Promise<Value | undefined> {
  let pending: Lookup<Key, Value>[] = [];
  let reading: Promise<void> | undefined;

  const readPending = async () => {
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        const values = await readAll(batch.map(({ key }) => key));
        for (const [index, { resolve }] of batch.entries()) resolve(values[index]);
      } catch (error) {
        for (const { reject } of batch) reject(error);
        // Later requests have waited as long, and would wait as long again.
        if (isTooSlow(error)) for (const { reject } of pending.splice(0)) reject(error);
      }
    }
  };
  const start = () => {
    reading ??= Promise.resolve()
      .then(readPending)
      .finally(() => {
        reading = undefined;
        // A key may have been requested since the loop ended.
        if (pending.length > 0) start();
      });
  };
  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
    pending.push({ key, resolve, reject });
    start();
    return promise;
  };
}
