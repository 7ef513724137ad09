/** A part of the manual that is found as a whole: a heading, a paragraph, a line of code, a row of a table. */
export interface Passage {
  readonly topic: string;
  /** The title of the topic. */
  readonly title: string;
  /** The heading that it stands under, with its ID. */
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

/** The passages found under one heading. */
export type Hit = Omit<Passage, "text"> & { readonly texts: readonly string[] };

/**
 * Finds the passages that have all words of `query`, in any case, by heading. What has them in its heading comes first.
 */
export function findHits(passages: readonly Passage[], query: string): Hit[] {
  const words = wordsOf(query);
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = words.length === 0 ? [] : passages.filter(({ text }) => has(text));
  const hits = [...Map.groupBy(found, ({ topic, anchor }) => `${topic}#${anchor}`).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, texts: group.map(({ text }) => text) }] : [];
  });
  return hits.toSorted((a, b) => Number(has(b.heading)) - Number(has(a.heading)));
}

/** Cuts `text` to at most `columns` characters around the first word of `query`. */
export function excerptOf(text: string, query: string, columns: number): string {
  if (text.length <= columns) return text;
  const at = Math.max(0, text.toLowerCase().indexOf(wordsOf(query)[0] ?? ""));
  const room = columns - 2;
  const from = Math.max(0, Math.min(at - Math.floor(room / 3), text.length - room));
  const start = from === 0 ? 0 : text.indexOf(" ", from - 1) + 1;
  const part = text.slice(start, start + room).trimEnd();
  return `${start > 0 ? "…" : ""}${part}${start + room < text.length ? "…" : ""}`;
}

/** The words of a query, in lower case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}
