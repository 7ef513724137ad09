import { setTimeout } from "node:timers/promises";
import { traceOf } from "../../../contract/error-traces.ts";
import { UserError } from "../../../contract/user-errors.ts";
import { createMonotonicClock } from "../../../domain/values/clocks.ts";
import { createIds } from "../../../domain/values/ids.ts";
import { systemRandom } from "../../../domain/values/random.ts";
import { openBackupOrigin } from "../../../store/copies/postgres-backups.ts";
import { restoreIntoPostgres } from "../../../store/copies/postgres-restores.ts";
import type { Credentials } from "../../../store/postgres/engine/clients.ts";
import { createDatabaseTime } from "../../../store/postgres/engine/database-time.ts";
import { findRefusal } from "../../../store/postgres/engine/refusals.ts";
import { assembleStore, openPostgresStore } from "../../../store/postgres/store.ts";
import { operatorOf } from "../administering/operators.ts";
import { openBlobsAt, openObjectStorage } from "./object-stores.ts";
import type { PostgresPlace } from "./places.ts";
import { explainRefusal } from "./postgres-refusals.ts";
import { makeStage, noTemporaryRoom } from "./stages.ts";
import type { ServerStorage, Storage, StorageOptions } from "./storage.ts";

const RETRY_MS = 1000;
/** The time after which a server listens although the database has not answered. */
const PATIENCE_MS = 2000;
/** The time between two log lines about waiting. */
const SAY_MS = 60_000;
/** The connections of an admin command: one to work, one to listen, and a spare. */
const ADMIN_CONNECTIONS = 3;

/** A PostgreSQL database, which several servers may share. */
export function postgresStorage(place: PostgresPlace): Storage {
  const { connection, name } = place;
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
  const ids = createIds(clock, systemRandom);
  return {
    async open(options) {
      const { settings, log, objectStore } = options;
      quietDriver();
      const { store, open, renew, findLastBackup } = assembleStore({
        // A failover takes some seconds.
        connection: { ...connection, waitsForPrimary: true, readAgain: createReader(place, log) },
        clock,
        time,
        tombstoneSeconds: settings.tombstones,
        onMade: () => log.info({ database: name }, "the database was empty: a new installation has begun"),
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
      const shown = { database: name, ...(objectStore && { object_store: objectStore.name }) };
      const objects = objectStore && openObjectStorage(objectStore, store, () => installation);
      const findTroubles = async () => [...(await store.findTroubles()), ...(objects?.troubles() ?? [])];
      return {
        store: { ...store, findTroubles },
        ...(objects && { large: objects.large }),
        clock,
        ids,
        shown,
        installation: () => installation,
        opened,
        findLastBackup,
        reload() {
          const outcome = renew() ? "read again" : "are the same";
          log.info({ database: name }, `credentials of the database ${outcome}`);
        },
        close: () => store.close(),
      };
    },

    administer: ({ terminal, tombstoneSeconds }, work, { mayCreate }) =>
      explaining(place, async () => {
        let isNew = false;
        const store = await openPostgresStore({
          connection: { ...connection, max: ADMIN_CONNECTIONS },
          clock,
          time,
          tombstoneSeconds,
          operator: operatorOf(terminal),
          rights: { mayCreate: mayCreate !== undefined, mayUpgrade: false },
          onMade: () => void (isNew = true),
        });
        await using _ = { [Symbol.asyncDispose]: () => store.close() };
        return await work({ store, clock, ids, random: systemRandom, isNew });
      }),

    beginBackup: (objectStore) =>
      explaining(place, async () => {
        // For the backup, and the files that SQLite adds.
        process.umask(0o077);
        const origin = await openBackupOrigin(connection, objectStore && openBlobsAt(objectStore));
        return { ...origin, write: (file, hasSecrets) => explaining(place, () => origin.write(file, hasSecrets)) };
      }),

    restore: ({ objectStore, ...restoring }) =>
      explaining(place, async () => {
        using stage = makeStage();
        const openBlobs = objectStore && openBlobsAt(objectStore);
        const where = { connection, folder: stage.folder, time, openBlobs, explainNoRoom: noTemporaryRoom };
        return await restoreIntoPostgres({ ...restoring, ...where, clock, ids });
      }),
  };
}

/** Resolves as `work` does, and explains the errors that it throws. */
async function explaining<T>(place: PostgresPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainRefusal(error, place);
  }
}

/**
 * Returns a function that reads the credentials again. It returns undefined when it can't, and logs each reason once.
 */
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
 * Opens the database by `attempt`. Throws errors that a retry doesn't fix. Also resolves when the database can't be
 * reached or doesn't answer; then it retries until the database is open or the server is interrupted.
 */
async function openPatiently(
  attempt: () => Promise<void>,
  place: PostgresPlace,
  { log, interruption, onStoreEnd }: StorageOptions,
): Promise<Pick<ServerStorage, "opened">> {
  const { promise: isLate, resolve: goOn } = Promise.withResolvers<true>();
  let saidAt = -Infinity;
  const wait = (reason: string) => {
    goOn(true);
    if (performance.now() - saidAt < SAY_MS) return;
    saidAt = performance.now();
    log.warn({ database: place.name, reason }, "waiting for the database");
  };
  const retry = async () => {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const refusal = findRefusal(error);
        if (!refusal?.mayPass) throw explainRefusal(error, place);
        wait(refusal.error.message);
      }
      await setTimeout(RETRY_MS, undefined, { signal: interruption, ref: false });
    }
  };
  const opening = retry();
  const patience = setInterval(() => wait("PostgreSQL has not answered yet"), PATIENCE_MS);
  const isWaiting = await Promise.race([opening, isLate]).finally(() => clearInterval(patience));
  if (!isWaiting) return { opened: Promise.resolve() };
  const opened = opening.then(
    () => log.info({ database: place.name }, "the database is there"),
    (error: unknown) => {
      if (!interruption.aborted) onStoreEnd(error instanceof Error ? error : new Error(String(error)));
      // Nothing that waits for the database may continue.
      return new Promise<never>(() => undefined);
    },
  );
  return { opened };
}

/**
 * Silences the driver, which writes a line to standard error for each attempt to listen again. The log has the trouble.
 */
function quietDriver(): void {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- the driver has no other place for it
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).startsWith("bun:sql LISTEN ")) warn(...words);
  };
}
