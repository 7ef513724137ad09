import { sql } from "drizzle-orm";
import type { TimeStore } from "../../../domain/ports/sources.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import { clocks } from "../schema.ts";
import type { StoreContext } from "./context.ts";
import type { Operations } from "./operations.ts";

/** Stores the latest time in the database, so that no process using it falls behind what another has seen. */
export interface TimeKeeper {
  /**
   * Call it at the beginning of every write. If another process has written meanwhile, later ids sort after those that
   * it has made.
   */
  catchUp(): void;
  /** Call it inside every write. */
  save(): void;
  /** The latest time that is on disk. */
  saved(): number;
}

/** Raises `clock` to the latest time that the database has seen. First calls `onLatestTime` with that time. */
export function createTimeKeeper(
  orm: StoreContext["orm"],
  clock: MonotonicClock,
  onLatestTime: (epochMs: number) => void = () => undefined,
): TimeKeeper {
  const p = sql.placeholder;
  const latest = orm.select({ at: clocks.latestAt }).from(clocks).prepare();
  const saved = () => latest.get()?.at ?? 0;
  let savedHere = 0;
  const upsert = orm
    .insert(clocks)
    .values({ id: 1, latestAt: p("now") })
    .onConflictDoUpdate({ target: clocks.id, set: { latestAt: sql`max(${clocks.latestAt}, ${p("now")})` } })
    .returning({ at: clocks.latestAt })
    .prepare();
  onLatestTime(saved());
  // One more, so that later ids sort after all earlier ones, however the clock has jumped.
  if (saved() > 0) clock.raise(saved() + 1);
  return {
    saved,
    catchUp() {
      const at = saved();
      if (at !== savedHere && at >= clock.now()) clock.raise(at + 1);
    },
    save() {
      savedHere = upsert.get({ now: clock.now() }).at;
      clock.raise(savedHere);
    },
  };
}

export function createTimeStore(operations: Operations, time: TimeKeeper): TimeStore {
  // It needs no write of its own, as every transaction writes the time.
  const run = operations.add({ keepTime: { kind: "essential", run: () => undefined, keepsKeys: true } });
  return {
    async keepTime(epochMs) {
      // A caller that repeats a call about something expired writes nothing.
      if (time.saved() < epochMs) await run("keepTime", undefined);
    },
  };
}
