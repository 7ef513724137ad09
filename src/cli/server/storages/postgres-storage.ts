import { setTimeout } from "node:timers/promises";
import { traceOf } from "../../../contract/error-traces.ts";
import { UserError } from "../../../contract/user-errors.ts";
import { createMonotonicClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import { systemRandom } from "../../../domain/random.ts";
import type { Credentials } from "../../../store/postgres/engine/clients.ts";
import { createDatabaseTime } from "../../../store/postgres/engine/database-time.ts";
import { findRefusal } from "../../../store/postgres/opening/refusals.ts";
import { assembleStore } from "../../../store/postgres/store.ts";
import type { PostgresPlace } from "./places.ts";
import { explainRefusal } from "./postgres-refusals.ts";
import type { ServerStorage, StorageOptions } from "./storages.ts";

const RETRY_MS = 1000;
/** The time after which a server listens although the database has not answered. */
const PATIENCE_MS = 2000;
/** The time between two lines that say that it still waits. */
const SAY_MS = 60_000;

/** Opens the database of a PostgreSQL, which other servers may share. */
export async function openPostgresStorage(place: PostgresPlace, options: StorageOptions): Promise<ServerStorage> {
  const { settings, log } = options;
  quietDriver();
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
  const readAgain = createReader(place, log);
  const { store, open, renew, findLastBackup } = assembleStore({
    // A failover takes some seconds.
    connection: { ...place.connection, waitsForPrimary: true, readAgain },
    clock,
    time,
    tombstoneSeconds: settings.tombstones,
    onMade: () => log.info({ database: place.name }, "the database was empty: a new installation has begun"),
    onFailure: (work, error) =>
      log.error({ work, ...traceOf(error) }, "work of the storage failed, and is tried again"),
  });
  let installation: string | undefined;
  const attempt = async () => {
    await open();
    installation = await store.findInstallation();
  };
  const { opened } = await openPatiently(attempt, place, options).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    store,
    clock,
    ids: createIds(clock, systemRandom),
    shown: { database: place.name },
    installation: () => installation,
    opened,
    findLastBackup,
    reload() {
      const isNew = renew();
      log.info(
        { database: place.name },
        isNew ? "credentials of the database read again" : "credentials of the database are the same",
      );
    },
    close: () => store.close(),
  };
}

/** Returns what reads the credentials again; undefined when that can't be done, of which each reason goes to the log once. */
function createReader(place: PostgresPlace, log: StorageOptions["log"]): () => Credentials | undefined {
  let said: string | undefined;
  return () => {
    try {
      const connection = place.readAgain?.().connection;
      said = undefined;
      return connection;
    } catch (error) {
      const reason = error instanceof UserError ? error.message : JSON.stringify(traceOf(error));
      if (reason !== said) log.error({ database: place.name, reason }, "credentials of the database not changed");
      said = reason;
      return undefined;
    }
  };
}

/**
 * Opens the database by `attempt`. Throws what trying again does not mend. When it can't be reached, or says nothing, resolves all the same,
 * and tries on until it is open or nobody waits any more.
 */
async function openPatiently(
  attempt: () => Promise<void>,
  place: PostgresPlace,
  { log, interruption, onStoreEnd }: StorageOptions,
): Promise<Pick<ServerStorage, "opened">> {
  const wait = Promise.withResolvers<false>();
  let saidAt = -Infinity;
  const sayThatItWaits = (reason: string) => {
    if (performance.now() - saidAt >= SAY_MS) log.warn({ database: place.name, reason }, "waiting for the database");
    else return;
    saidAt = performance.now();
  };
  const tryOn = async (): Promise<true> => {
    for (;;) {
      try {
        await attempt();
        return true;
      } catch (error) {
        const refusal = findRefusal(error);
        if (!refusal?.mayPass) throw explainRefusal(error, place);
        sayThatItWaits(refusal.error.message);
        wait.resolve(false);
      }
      await setTimeout(RETRY_MS, undefined, { signal: interruption, ref: false });
    }
  };
  const opening = tryOn();
  const patience = setInterval(() => {
    sayThatItWaits("PostgreSQL has not answered yet");
    wait.resolve(false);
  }, PATIENCE_MS);
  const isOpen = await Promise.race([opening, wait.promise]).finally(() => clearInterval(patience));
  if (isOpen) return { opened: Promise.resolve() };
  const opened = opening.then(
    () => log.info({ database: place.name }, "the database is there"),
    (error: unknown) => {
      if (!interruption.aborted) onStoreEnd(error instanceof Error ? error : new Error(String(error)));
      // Nothing that waits for it goes on.
      return new Promise<never>(() => undefined);
    },
  );
  return { opened };
}

/**
 * Keeps the driver from writing to standard error: it has a line for each try to listen again, which the trouble tells already, and which
 * is none of the log.
 */
function quietDriver(): void {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- the driver has no other place for it
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).startsWith("bun:sql LISTEN ")) warn(...words);
  };
}
