/** Lets one piece of work at a time have something. */
export interface Turns {
  /** Stops the work that has `id`, waits for its end, and begins `work`, which the next one stops by `stop`. */
  take<T>(id: string, stop: () => void, work: () => Promise<T>): Promise<T>;
  /** Returns true while some work has `id`. */
  has(id: string): boolean;
}

export function createTurns(): Turns {
  const turns = new Map<string, { readonly stop: () => void; readonly over: Promise<unknown> }>();
  return {
    has: (id) => turns.has(id),
    async take(id, stop, work) {
      for (let before = turns.get(id); before; before = turns.get(id)) {
        before.stop();
        await before.over;
      }
      const over = work();
      const turn = { stop, over: over.catch(() => undefined) };
      turns.set(id, turn);
      try {
        return await over;
      } finally {
        if (turns.get(id) === turn) turns.delete(id);
      }
    },
  };
}
