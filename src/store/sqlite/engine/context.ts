import type { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { Ids, TimeStore } from "../../../domain/ports/sources.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import type { BackgroundReport } from "./background-failures.ts";
import type { StoredBytes } from "./effects.ts";
import type { KnownKeys } from "./known-keys.ts";
import type { Operations } from "./operations.ts";

/** What the parts of the store share. */
export interface StoreContext extends TimeStore {
  readonly orm: ReturnType<typeof openOrm>;
  readonly operations: Operations;
  readonly knownKeys: KnownKeys;
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  /** How long an ended secret or request, or an event, stays visible. */
  readonly tombstoneMs: number;
  readonly storedBytes: Pick<StoredBytes, "of">;
  /** The admin whose command changes something; undefined in a server. */
  readonly operator: Operator | undefined;
  readonly report: BackgroundReport;
}

/** drizzle on top of an open database. */
export function openOrm(database: Database) {
  return drizzle({ client: database });
}
