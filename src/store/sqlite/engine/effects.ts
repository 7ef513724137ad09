import type { TeamUsage } from "../../../domain/ports/credentials.ts";
import type { EventRecord } from "../../../domain/ports/events.ts";
import type { WriterDeps } from "./writer.ts";

/** Counts what each team stores, in the transaction that changes it. */
export interface StoredBytes {
  /** Adds so many bytes; negative for fewer. Call it inside a write. */
  charge(teamId: string, bytes: number): void;
  /**
   * True when the team may store so many more bytes, `quotaBytes` in all unless it has its own quota. Call it inside a
   * write. Throws a Refusal `credential_invalid` when the team is gone.
   */
  fits(teamId: string, bytes: number, quotaBytes: number): boolean;
  /** The bytes that the team stores, and its quota. */
  of(teamId: string): TeamUsage;
}

/** The effects of the current transaction, beside its rows. */
export interface Effects extends Pick<StoredBytes, "charge" | "fits"> {
  /** Announces an event to listeners once this is committed. */
  tell(event: EventRecord): void;
  /** Has the WAL truncated soon after the commit, because it still holds what this erases. */
  truncateWal(): void;
}

/** The hooks that the writer calls around each transaction and operation. */
export type TransactionHooks = Pick<
  WriterDeps,
  "afterBegin" | "beforeCommit" | "afterCommit" | "afterRollback" | "beforeOperation"
>;

/** The count of stored bytes, with methods for the transaction only. */
export interface StoredBytesWriter extends StoredBytes {
  /** Begins an operation of a transaction. Returns a function that discards the counts since. */
  mark(): () => void;
  /**
   * Writes the counts before the commit, with one statement for each team, however many calls are committed together.
   */
  save(): void;
  /** Discards the counts after a rollback. */
  clear(): void;
}

/**
 * Collects the effects of operations, which happen after their COMMIT or not at all. There is one writer, and so one
 * transaction at a time: `effects` always belongs to the current one.
 */
export function createEffects(deps: {
  readonly storedBytes: StoredBytesWriter;
  /** Reads the time that other processes have written, at the beginning of every transaction. */
  readonly catchUp: () => void;
  /** Writes the time, inside every transaction. */
  readonly saveTime: () => void;
  /** Called with every committed event, in order. */
  readonly announce: (event: EventRecord) => void;
  readonly truncateWalSoon: () => void;
}): { readonly effects: Effects; readonly hooks: TransactionHooks } {
  const { storedBytes, catchUp, saveTime, announce, truncateWalSoon } = deps;
  let told: EventRecord[] = [];
  let isErasing = false;

  /** Returns the collected effects, and starts anew. */
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
        // What was rolled back may still be in the WAL, and takes up space that may be scarce.
        truncateWalSoon();
      },
    },
  };
}
