interface Entry<Row> {
  /** The loaded row; undefined for a new one. */
  readonly before: Row | undefined;
  now: Row | undefined;
}

/**
 * The loaded rows of one table in a transaction, with the changes to them. `get` and `remove` throw for a key that was
 * not looked up, because such a row may be there.
 */
export interface StagedRows<Row> {
  get(key: string): Row | undefined;
  /** Replaces the row with this key, or adds it. */
  set(key: string, row: Row): void;
  /** Removes a row and returns it; undefined when there was none. */
  remove(key: string): Row | undefined;
  values(): Row[];
  /**
   * The new rows, the changed ones and the keys of the removed ones, each in the order of the keys. `former` has the
   * changed and the removed ones as they were loaded.
   */
  changes(): { readonly added: Row[]; readonly changed: Row[]; readonly removed: string[]; readonly former: Row[] };
  /** Returns a function that undoes every later change. */
  mark(): () => void;
}

/** Stages the rows that were found for `keys`. Of two with the same key, the last one counts. */
export function createStagedRows<Row>(
  keys: readonly string[],
  found: readonly Row[],
  keyOf: (row: Row) => string,
): StagedRows<Row> {
  const lookedFor = new Set(keys);
  const entries = new Map<string, Entry<Row>>(found.map((row) => [keyOf(row), { before: row, now: row }]));
  const journal: { readonly entry: Entry<Row>; readonly was: Row | undefined }[] = [];
  const put = (key: string, row: Row | undefined) => {
    const entry = entries.get(key) ?? { before: undefined, now: undefined };
    entries.set(key, entry);
    journal.push({ entry, was: entry.now });
    entry.now = row;
  };
  const get = (key: string): Row | undefined => {
    const entry = entries.get(key);
    if (!entry && !lookedFor.has(key)) throw notLoaded();
    return entry?.now;
  };
  return {
    get,
    set: put,
    remove(key) {
      const row = get(key);
      if (row !== undefined) put(key, undefined);
      return row;
    },
    values: () => [...entries.values()].flatMap(({ now }) => (now === undefined ? [] : [now])),
    changes() {
      const [added, changed, former]: [Row[], Row[], Row[]] = [[], [], []];
      const removed: string[] = [];
      const different = [...entries].filter(([, { before, now }]) => before !== now);
      for (const [key, { before, now }] of different.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        if (before !== undefined) former.push(before);
        if (now === undefined) removed.push(key);
        else (before === undefined ? added : changed).push(now);
      }
      return { added, changed, removed, former };
    },
    mark() {
      const { length } = journal;
      return () => {
        for (const { entry, was } of journal.splice(length).toReversed()) entry.now = was;
      };
    },
  };
}

/** The error of an operation that finds a row which its needs do not name. */
export function notLoaded(): Error {
  return new Error("an operation has looked for a row that its needs do not name");
}
