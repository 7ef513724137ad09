import type { ReadContext } from "./work.ts";

const MINUTE_MS = 60_000;
/** How often a refused key is recorded: one that is tried over and over must not fill the log of its team. */
export const REFUSAL_MS = 60 * MINUTE_MS;

/** A use of a credential that is recorded. */
export type UseWork = "key_use" | "session_use" | "key_refusal";

/** The use of a key or a session, to the minute or the hour. */
export interface Use {
  readonly id: string;
  readonly at: number;
}

/**
 * Returns a function that has `write` record the use of a key or a session, once in each minute, or in each `stepMs`.
 * Only this process is considered.
 */
export function createUses(
  { clock, report }: Pick<ReadContext, "clock"> & { readonly report: (work: UseWork, error: unknown) => void },
  work: UseWork,
  write: (use: Use, network: string | null) => Promise<unknown>,
  stepMs = MINUTE_MS,
): (id: string, network?: string | null) => void {
  const lastUsed = new Map<string, number>();
  return (id, network = null) => {
    const at = Math.floor(clock.now() / stepMs) * stepMs;
    if (lastUsed.get(id) === at) return;
    lastUsed.set(id, at);
    write({ id, at }, network).catch((error: unknown) => {
      // Only this note is lost, for example on a full disk: the next use tries again.
      lastUsed.delete(id);
      report(work, error);
    });
  };
}
