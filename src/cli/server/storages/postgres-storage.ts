import { setTimeout } from "node:timers/promises";
import { traceOf } from "../../../contract/error-traces.ts";
import { UserError } from "../../../contract/user-errors.ts";
import { createMonotonicClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import { systemRandom } from "../../../domain/random.ts";
import { openBackupOrigin } from "../../../store/copies/backups.ts";
import { restoreIntoPostgres } from "../../../store/copies/restores.ts";
import type { Credentials } from "../../../store/postgres/engine/clients.ts";
import { createDatabaseTime } from "../../../store/postgres/engine/database-time.ts";
import { findRefusal } from "../../../store/postgres/opening/refusals.ts";
import { assembleStore, openPostgresStore } from "../../../store/postgres/store.ts";
import type { BackupOrigin } from "../../../store/sqlite/backups/backup-files.ts";
import type { Restored } from "../../../store/sqlite/backups/restores.ts";
import { operatorOf } from "../administering/operators.ts";
import type { PostgresPlace } from "./places.ts";
import { explainRefusal } from "./postgres-refusals.ts";
import { makeStage, noRoomOnTheWay } from "./stages.ts";
import type {
  AdminCommandDeps,
  Administering,
  AdminOptions,
  Restoring,
  ServerStorage,
  Storage,
  StorageOptions,
} from "./storage.ts";

const RETRY_MS = 1000;
/** The time after which a server listens although the database has not answered. */
const PATIENCE_MS = 2000;
/** The time between two log lines about waiting. */
const SAY_MS = 60_000;
/** The connections of an admin command: one to work, one to listen, and a spare. */
const ADMIN_CONNECTIONS = 3;

/** A PostgreSQL database, which several servers may share. */
export function postgresStorage(place: PostgresPlace): Storage {
  return {
    open: (options) => open(place, options),
    administer: (admin, work, options) => explaining(place, () => administer(place, admin, work, options)),
    beginBackup: () => explaining(place, () => beginBackup(place)),
    restore: (restoring) => explaining(place, () => restore(place, restoring)),
  };
}

/** Resolves as `work` does, and explains what it throws. */
async function explaining<T>(place: PostgresPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainRefusal(error, place);
  }
}

async function administer<T>(
  { connection }: PostgresPlace,
  { terminal, tombstoneSeconds }: Administering,
  work: (deps: AdminCommandDeps) => Promise<T>,
  { mayCreate }: AdminOptions,
): Promise<T> {
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
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
  try {
    return await work({ store, clock, ids: createIds(clock, systemRandom), random: systemRandom, isNew });
  } finally {
    await store.close();
  }
}

async function beginBackup(place: PostgresPlace): Promise<BackupOrigin> {
  // For the backup, and the files that SQLite puts beside it.
  process.umask(0o077);
  const origin = await openBackupOrigin(place.connection);
  return { ...origin, write: (path, hasSecrets) => explaining(place, () => origin.write(path, hasSecrets)) };
}

async function restore({ connection }: PostgresPlace, restoring: Restoring): Promise<Restored> {
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
  using stage = makeStage();
  const where = { connection, folder: stage.folder, time, explainNoRoom: noRoomOnTheWay };
  return await restoreIntoPostgres({ ...restoring, ...where, clock, ids: createIds(clock, systemRandom) });
}

async function open(place: PostgresPlace, options: StorageOptions): Promise<ServerStorage> {
  const { settings, log } = options;
  quietDriver();
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
  const readAgain = createReader(place, log);
  const {
    store,
    open: openStore,
    renew,
    findLastBackup,
  } = assembleStore({
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
    await openStore();
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

/** Returns a function that reads the credentials again. It returns undefined when it can't, and logs each reason once. */
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
 * Opens the database by `attempt`. Throws what a retry does not mend. Resolves also when the database can't be reached or
 * doesn't answer; then it retries until the database is open or the server is interrupted.
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
      // Nothing that waits for the database may go on.
      return new Promise<never>(() => undefined);
    },
  );
  return { opened };
}

/** Silences the driver, which writes a line to standard error for each attempt to listen again. The log has the trouble. */
function quietDriver(): void {
  const { warn } = console;
  // oxlint-disable-next-line no-console -- the driver has no other place for it
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).startsWith("bun:sql LISTEN ")) warn(...words);
  };
}
