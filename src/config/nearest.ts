/** The most similar of `names`; empty when there are none. */
export function nearestOf(name: string, names: readonly string[]): string {
  return names.toSorted((a, b) => distance(name, a) - distance(name, b))[0] ?? "";
}

/** The Levenshtein distance between `a` and `b`. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of a.split("").entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split("").entries()) {
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
