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

/** Words that people search for, and those that the manual has in their place. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  account: ["person", "people", "api key"],
  cancel: ["revoke"],
  delete: ["revoke", "erase", "remove"],
  docker: ["image", "podman"],
  expiration: ["expire", "lifetime"],
  expiry: ["expire", "lifetime"],
  k8s: ["kubernetes"],
  password: ["passphrase"],
  receive: ["open", "collect"],
  share: ["send"],
  ssl: ["tls", "certificate"],
  token: ["api key"],
  ttl: ["expire", "lifetime"],
  undo: ["revoke", "go back"],
  uninstall: ["removal"],
  update: ["upgrade"],
  user: ["person", "people", "identity"],
};

/**
 * Finds the passages that have all words of `query`, in any case, or words for the same, by heading. What has them in
 * its heading comes first.
 */
export function findHits(passages: readonly Passage[], query: string): Hit[] {
  const words = wordsOf(query).map(formsOf);
  const has = (text: string) => {
    const lower = text.toLowerCase();
    return words.every((forms) => forms.some((form) => lower.includes(form)));
  };
  const found = words.length === 0 ? [] : passages.filter(({ text }) => has(text));
  const hits = [...Map.groupBy(found, ({ topic, anchor }) => `${topic}#${anchor}`).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, texts: group.map(({ text }) => text) }] : [];
  });
  return hits.toSorted((a, b) => Number(has(b.heading)) - Number(has(a.heading)));
}

/** Cuts `text` to at most `columns` characters around the first word of `query`, or a word for the same. */
export function excerptOf(text: string, query: string, columns: number): string {
  if (text.length <= columns) return text;
  const lower = text.toLowerCase();
  const places = formsOf(wordsOf(query)[0] ?? "").map((form) => lower.indexOf(form));
  const at = places.find((place) => place >= 0) ?? 0;
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

/** A word in lower case, and the words for the same. */
export function formsOf(word: string): readonly string[] {
  return [word, ...(Object.hasOwn(MEANT, word) ? (MEANT[word] ?? []) : [])];
}
