interface Entry<Row> {
  /** The row as it was found; undefined when there was none. */
  readonly before: Row | undefined;
  now: Row | undefined;
}

/** Rows of one table that a transaction has found, with what becomes of them. Nothing is written before its end. */
export interface StagedRows<Row> {
  /** Adds a row that was found. */
  found(key: string, row: Row): void;
  get(key: string): Row | undefined;
  /** Puts a row in the place of the one with this key, or adds it. */
  set(key: string, row: Row): void;
  /** Takes a row away. Returns it; undefined when there was none. */
  remove(key: string): Row | undefined;
  values(): Row[];
  /** The rows that were not there, those that are others than they were, and the keys of those that are gone; in the order of keys. */
  changes(): { readonly added: Row[]; readonly changed: Row[]; readonly removed: string[] };
  /** Returns what takes back all that happens from now on. */
  mark(): () => void;
}

export function createStagedRows<Row>(): StagedRows<Row> {
  const entries = new Map<string, Entry<Row>>();
  const journal: { readonly entry: Entry<Row>; readonly was: Row | undefined }[] = [];
  const put = (key: string, row: Row | undefined) => {
    const entry = entries.get(key) ?? { before: undefined, now: undefined };
    entries.set(key, entry);
    journal.push({ entry, was: entry.now });
    entry.now = row;
  };
  return {
    found: (key, row) => void entries.set(key, { before: row, now: row }),
    get: (key) => entries.get(key)?.now,
    set: put,
    remove(key) {
      const row = entries.get(key)?.now;
      if (row !== undefined) put(key, undefined);
      return row;
    },
    values: () => [...entries.values()].flatMap(({ now }) => (now === undefined ? [] : [now])),
    changes() {
      const [added, changed, removed]: [Row[], Row[], string[]] = [[], [], []];
      for (const [key, { before, now }] of [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        if (before === now) continue;
        if (now === undefined) removed.push(key);
        else (before === undefined ? added : changed).push(now);
      }
      return { added, changed, removed };
    },
    mark() {
      const { length } = journal;
      return () => {
        for (const { entry, was } of journal.splice(length).toReversed()) entry.now = was;
      };
    },
  };
}
