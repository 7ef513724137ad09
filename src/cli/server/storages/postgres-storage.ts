import { traceOf } from "../../../contract/error-traces.ts";
import { createMonotonicClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import type { Store } from "../../../domain/ports/store.ts";
import { systemRandom } from "../../../domain/random.ts";
import { createDatabaseTime } from "../../../store/postgres/engine/database-time.ts";
import { findRefusal } from "../../../store/postgres/engine/refusals.ts";
import { openPostgresStore } from "../../../store/postgres/store.ts";
import type { PostgresPlace } from "./places.ts";
import type { ServerStorage, StorageOptions } from "./storages.ts";

const RETRY_MS = 1000;
/** The time between two lines that say that it still waits. */
const SAY_MS = 60_000;

/** Opens the database of a PostgreSQL, which other servers may share. Waits for one that can't be reached, until it is interrupted. */
export async function openPostgresStorage(
  place: PostgresPlace,
  { settings, log, interruption }: StorageOptions,
): Promise<ServerStorage | undefined> {
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
  const open = () =>
    openPostgresStore({
      connection: place.connection,
      clock,
      time,
      tombstoneSeconds: settings.tombstones,
      onFailure: (work, error) =>
        log.error({ work, ...traceOf(error) }, "work of the storage failed, and is tried again"),
    });
  const store = await openPatiently(open, place, { log, interruption });
  return (
    store && {
      store,
      clock,
      ids: createIds(clock, systemRandom),
      shown: { database: place.name },
      lastBackup: () => undefined,
      close: () => store.close(),
    }
  );
}

/** Tries until it opens, or nobody waits any more; then it is undefined. Throws what trying again does not mend. */
async function openPatiently(
  open: () => Promise<Store>,
  { name }: PostgresPlace,
  { log, interruption }: Pick<StorageOptions, "log" | "interruption">,
): Promise<Store | undefined> {
  let saidAt = -Infinity;
  while (!interruption.aborted) {
    try {
      return await open();
    } catch (error) {
      const refusal = findRefusal(error);
      if (!refusal?.mayPass) throw refusal?.error ?? error;
      if (performance.now() - saidAt >= SAY_MS) {
        log.warn({ database: name, reason: refusal.error.message }, "waiting for the database");
        saidAt = performance.now();
      }
      await Promise.race([Bun.sleep(RETRY_MS), untilAborted(interruption)]);
    }
  }
  return undefined;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
