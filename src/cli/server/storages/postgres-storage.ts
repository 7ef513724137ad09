import { setTimeout } from "node:timers/promises";
import { traceOf } from "../../../contract/error-traces.ts";
import { createMonotonicClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import { systemRandom } from "../../../domain/random.ts";
import { createDatabaseTime } from "../../../store/postgres/engine/database-time.ts";
import { findRefusal } from "../../../store/postgres/engine/refusals.ts";
import { assembleStore } from "../../../store/postgres/store.ts";
import type { PostgresPlace } from "./places.ts";
import type { ServerStorage, StorageOptions } from "./storages.ts";

const RETRY_MS = 1000;
/** The time between two lines that say that it still waits. */
const SAY_MS = 60_000;

/** Opens the database of a PostgreSQL, which other servers may share. */
export async function openPostgresStorage(place: PostgresPlace, options: StorageOptions): Promise<ServerStorage> {
  const { settings, log } = options;
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
  const { store, open } = assembleStore({
    connection: place.connection,
    clock,
    time,
    tombstoneSeconds: settings.tombstones,
    onFailure: (work, error) =>
      log.error({ work, ...traceOf(error) }, "work of the storage failed, and is tried again"),
  });
  let installation: string | undefined;
  const attempt = async () => {
    await open();
    installation = await store.findInstallation();
  };
  return {
    store,
    clock,
    ids: createIds(clock, systemRandom),
    shown: { database: place.name },
    installation: () => installation,
    ...(await openPatiently(attempt, place, options)),
    lastBackup: () => undefined,
    close: () => store.close(),
  };
}

/**
 * Opens the database by `attempt`. Throws what trying again does not mend. Where it may, resolves at once, and tries on until it
 * is open or nobody waits any more.
 */
async function openPatiently(
  attempt: () => Promise<void>,
  { name }: PostgresPlace,
  { log, interruption, onStoreEnd }: StorageOptions,
): Promise<Pick<ServerStorage, "opened">> {
  let saidAt = -Infinity;
  /** True when it is open. Throws what trying again does not mend. */
  const succeeds = async (): Promise<boolean> => {
    try {
      await attempt();
      return true;
    } catch (error) {
      const refusal = findRefusal(error);
      if (!refusal?.mayPass) throw refusal?.error ?? error;
      if (performance.now() - saidAt >= SAY_MS) {
        log.warn({ database: name, reason: refusal.error.message }, "waiting for the database");
        saidAt = performance.now();
      }
      return false;
    }
  };
  const tryOn = async () => {
    do await setTimeout(RETRY_MS, undefined, { signal: interruption, ref: false });
    while (!(await succeeds()));
    log.info({ database: name }, "the database is there");
  };
  if (await succeeds()) return { opened: Promise.resolve() };
  const opened = tryOn().catch((error: unknown) => {
    if (!interruption.aborted) onStoreEnd(error instanceof Error ? error : new Error(String(error)));
    // Nothing that waits for it goes on.
    return new Promise<never>(() => undefined);
  });
  return { opened };
}
