import type { ReadContext } from "./work.ts";

const MINUTE_MS = 60_000;

/** A credential whose uses are recorded. */
export type UseWork = "key_use" | "session_use";

/** The use of a key or a session, to the minute. */
export interface Use {
  readonly id: string;
  readonly at: number;
}

/** Returns a function that has `write` record the use of a key or a session, once in each minute. */
export function createUses(
  { clock, report }: Pick<ReadContext, "clock"> & { readonly report: (work: UseWork, error: unknown) => void },
  work: UseWork,
  write: (use: Use) => Promise<unknown>,
): (id: string) => void {
  const lastUsed = new Map<string, number>();
  return (id) => {
    const at = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    if (lastUsed.get(id) === at) return;
    lastUsed.set(id, at);
    write({ id, at }).catch((error: unknown) => {
      // Only this note is lost, for example on a full disk: the next use tries again.
      lastUsed.delete(id);
      report(work, error);
    });
  };
}
