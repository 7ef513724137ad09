import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { MonotonicClock } from "../../../domain/clocks.ts";
import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { TeamUsage } from "../../../domain/ports/credentials.ts";
import type { Ids } from "../../../domain/ports/sources.ts";
import type { TimeStore } from "../../../domain/ports/time.ts";
import type { BackgroundReport } from "./background-failures.ts";
import type { KnownKeys } from "./known-keys.ts";
import type { Operations } from "./operations.ts";

/** Counts what each team takes up, in the transaction that changes it. */
export interface StoredBytes {
  /** Counts so many bytes more, or fewer when negative. To be called inside a write. */
  charge(teamId: string, bytes: number): void;
  /**
   * True when the team may take up so many bytes more, `quotaBytes` in all unless it has a quota of its own. To be called inside
   * a write. Throws a Refusal `credential_invalid` when the team is gone.
   */
  fits(teamId: string, bytes: number, quotaBytes: number): boolean;
  /** The bytes that the team takes up, and its quota. */
  of(teamId: string): TeamUsage;
}

/** The things that the parts of the store share. */
export interface StoreContext extends TimeStore {
  readonly orm: ReturnType<typeof openOrm>;
  readonly operations: Operations;
  readonly knownKeys: KnownKeys;
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  /** The time that an ended secret or request, or an event, stays to be seen. */
  readonly tombstoneMs: number;
  readonly storedBytes: Pick<StoredBytes, "of">;
  /** The one who changes something by an admin command; undefined in a server. */
  readonly operator: Operator | undefined;
  readonly report: BackgroundReport;
}

/** drizzle on top of an open database. */
export function openOrm(database: Database) {
  return drizzle({ client: database });
}
