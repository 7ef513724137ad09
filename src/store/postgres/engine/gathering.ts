import { isTooSlow } from "./errors.ts";

interface Asked<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns what reads values by keys, through `readAll`, which is handed all keys that were asked for while it was busy with others,
 * and those of one turn. What is read is never older than the question.
 */
export function gatherReads<Key, Value>(
  readAll: (keys: readonly Key[]) => Promise<readonly (Value | undefined)[]>,
): (key: Key) => Promise<Value | undefined> {
  let asked: Asked<Key, Value>[] = [];
  let reading: Promise<void> | undefined;

  const readOn = async () => {
    while (asked.length > 0) {
      const batch = asked;
      asked = [];
      try {
        const values = await readAll(batch.map(({ key }) => key));
        for (const [index, { resolve }] of batch.entries()) resolve(values[index]);
      } catch (error) {
        for (const { reject } of batch) reject(error);
        // Those who came meanwhile have waited for as long, and would wait for as long again.
        if (isTooSlow(error)) for (const { reject } of asked.splice(0)) reject(error);
      }
    }
  };
  const start = () => {
    reading ??= Promise.resolve()
      .then(readOn)
      .finally(() => {
        reading = undefined;
        // Somebody may have asked since the last look.
        if (asked.length > 0) start();
      });
  };
  return (key) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
    asked.push({ key, resolve, reject });
    start();
    return promise;
  };
}
