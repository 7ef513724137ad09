import type { TeamUsage } from "../../../domain/ports/credentials.ts";
import type { EventRecord } from "../../../domain/ports/events.ts";
import type { WriterDeps } from "./writer.ts";

/** Counts what each team takes up, in the transaction that changes it. */
export interface StoredBytes {
  /** Counts so many bytes more, or fewer when negative. To be called inside a write. */
  charge(teamId: string, bytes: number): void;
  /**
   * True when the team may take up so many bytes more, `quotaBytes` in all unless it has a quota of its own. To be
   * called inside a write. Throws a Refusal `credential_invalid` when the team is gone.
   */
  fits(teamId: string, bytes: number, quotaBytes: number): boolean;
  /** The bytes that the team takes up, and its quota. */
  of(teamId: string): TeamUsage;
}

/** The effects of the transaction under way, beside its rows. */
export interface Effects extends Pick<StoredBytes, "charge" | "fits"> {
  /** Tells listeners of an event once this is committed. */
  tell(event: EventRecord): void;
  /** Has the WAL truncated soon after this is committed: it still holds what this erases. */
  truncateWal(): void;
}

/** The hooks that the writer calls around each transaction and operation. */
export type TransactionHooks = Pick<
  WriterDeps,
  "afterBegin" | "beforeCommit" | "afterCommit" | "afterRollback" | "beforeOperation"
>;

/** The count of stored bytes with what only a transaction calls. */
export interface StoredBytesWriter extends StoredBytes {
  /** Begins an operation of a transaction. Returns a function that forgets all that was counted since. */
  mark(): () => void;
  /**
   * Writes the counts down, before the commit: one statement for each team, however many calls are committed together.
   */
  save(): void;
  /** Forgets what was counted, after a rollback. */
  clear(): void;
}

/**
 * Collects the effects of operations, which happen after their COMMIT or not at all. There is one writer, and so one
 * transaction at a time: `effects` is always that of the one under way.
 */
export function createEffects(deps: {
  readonly storedBytes: StoredBytesWriter;
  /** Learns what other processes have written of the time, at the beginning of every transaction. */
  readonly catchUp: () => void;
  /** Writes the time down, inside every transaction. */
  readonly saveTime: () => void;
  /** Hears of every event that was committed, in order. */
  readonly announce: (event: EventRecord) => void;
  readonly truncateWalSoon: () => void;
}): { readonly effects: Effects; readonly hooks: TransactionHooks } {
  const { storedBytes, catchUp, saveTime, announce, truncateWalSoon } = deps;
  let told: EventRecord[] = [];
  let isErasing = false;

  /** Returns what was told, and begins anew. */
  const takeTold = () => {
    const events = told;
    told = [];
    isErasing = false;
    return events;
  };

  return {
    effects: {
      tell: (event) => void told.push(event),
      truncateWal: () => void (isErasing = true),
      charge: storedBytes.charge,
      fits: storedBytes.fits,
    },
    hooks: {
      afterBegin: catchUp,
      beforeOperation() {
        const { length } = told;
        const uncount = storedBytes.mark();
        return () => {
          told.length = length;
          uncount();
        };
      },
      beforeCommit() {
        storedBytes.save();
        saveTime();
      },
      afterCommit() {
        if (isErasing) truncateWalSoon();
        takeTold().forEach(announce);
      },
      afterRollback() {
        takeTold();
        storedBytes.clear();
        // What was taken back may lie in the WAL, and holds room that may be scarce.
        truncateWalSoon();
      },
    },
  };
}
