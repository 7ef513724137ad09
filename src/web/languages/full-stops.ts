/**
 * The same texts, but what is put into a text and ends with a period of its own ends a sentence without a second one:
 * "Opened today, 2:58 p.m."
 */
export function withSingleStops<T>(texts: T): T {
  return endOnce(texts, []) as T;
}

function endOnce(value: unknown, given: readonly unknown[]): unknown {
  if (typeof value === "string") {
    return given.reduce<string>((text, each) => {
      const end = String(each);
      return end.endsWith(".") ? text.replaceAll(`${end}.`, () => end) : text;
    }, value);
  }
  if (typeof value === "function") return (...values: readonly unknown[]) => endOnce(value(...values), values);
  if (!(value instanceof Object)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, endOnce(each, given)]));
}
