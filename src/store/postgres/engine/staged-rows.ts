interface Entry<Row> {
  /** The loaded row; undefined for a new one. */
  readonly before: Row | undefined;
  now: Row | undefined;
}

/** The loaded rows of one table in a transaction, with the changes to them. */
export interface StagedRows<Row> {
  get(key: string): Row | undefined;
  /** Replaces the row with this key, or adds it. */
  set(key: string, row: Row): void;
  /** Removes a row and returns it; undefined when there was none. */
  remove(key: string): Row | undefined;
  values(): Row[];
  /** The new rows, the changed ones and the keys of the removed ones, each in the order of the keys. */
  changes(): { readonly added: Row[]; readonly changed: Row[]; readonly removed: string[] };
  /** Returns a function that undoes every later change. */
  mark(): () => void;
}

/** Stages loaded rows. Of two with the same key, the last one counts. */
export function createStagedRows<Row>(found: readonly Row[], keyOf: (row: Row) => string): StagedRows<Row> {
  const entries = new Map<string, Entry<Row>>(found.map((row) => [keyOf(row), { before: row, now: row }]));
  const journal: { readonly entry: Entry<Row>; readonly was: Row | undefined }[] = [];
  const put = (key: string, row: Row | undefined) => {
    const entry = entries.get(key) ?? { before: undefined, now: undefined };
    entries.set(key, entry);
    journal.push({ entry, was: entry.now });
    entry.now = row;
  };
  return {
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
