import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { MonotonicClock } from "../../domain/clocks.ts";
import type { EventRecord } from "../../domain/ports/events.ts";
import type { Ids } from "../../domain/ports/sources.ts";
import type { Store } from "../../domain/ports/store.ts";
import { createAdminStore } from "./admin.ts";
import { createCredentialStore } from "./credentials.ts";
import { createBackgroundReport } from "./engine/background-failures.ts";
import type { BackgroundReport } from "./engine/background-failures.ts";
import { openOrm } from "./engine/context.ts";
import type { StoreContext } from "./engine/context.ts";
import { openDatabase, unusable } from "./engine/database.ts";
import { createKnownKeys } from "./engine/known-keys.ts";
import { createLostFiles } from "./engine/lost-files.ts";
import { createOperations } from "./engine/operations.ts";
import { createReadGuard } from "./engine/read-guard.ts";
import { createReserve } from "./engine/reserve.ts";
import type { Reserve } from "./engine/reserve.ts";
import { createTimeKeeper, createTimeStore } from "./engine/time.ts";
import { createTransaction } from "./engine/transaction.ts";
import { createTroubles } from "./engine/troubles.ts";
import { startUpkeep } from "./engine/upkeep.ts";
import { createVacuum } from "./engine/vacuum.ts";
import { createWalTruncations } from "./engine/wal-truncations.ts";
import { createWriter } from "./engine/writer.ts";
import { createEventStore, createEventWriter } from "./events.ts";
import { freeBytes, openBallast, OPENING_BYTES } from "./files/ballast.ts";
import type { Ballast } from "./files/ballast.ts";
import { BALLAST_FILE, DATABASE_FILE } from "./files/data-folder.ts";
import { isDiskFull } from "./files/errors.ts";
import { rememberFiles } from "./files/open-files.ts";
import type { OpenFiles } from "./files/open-files.ts";
import { cutWalRoom } from "./files/wal-room.ts";
import { createCalls } from "./idempotent-calls.ts";
import { createPersonStore } from "./persons.ts";
import { createRequestChanges } from "./request-changes.ts";
import { prepareRequestRows } from "./request-rows.ts";
import { createRequestStore } from "./requests.ts";
import { clocks } from "./schema.ts";
import { createSecretChanges } from "./secret-changes.ts";
import { createSecretCreations } from "./secret-creations.ts";
import { prepareSecretRows } from "./secret-rows.ts";
import { createSecretStore } from "./secrets.ts";
import { createStoredBytes } from "./stored-bytes.ts";
import { createSweepStore } from "./sweeps.ts";

const SHORT_BUSY_TIMEOUT_MS = 50;
const TRUNCATION_DELAY_MS = 1000;
const READER_PATIENCE_MS = 60_000;

export interface StoreOptions {
  /** Holds the database and what belongs to it; made if it is not there. */
  readonly folder: string;
  readonly clock: MonotonicClock;
  readonly ids: Ids;
  readonly tombstoneSeconds: number;
  /** Room on the disk held back for claims; 0 for a process that only administers. */
  readonly ballastBytes: number;
  /**
   * The listener to failures of work beside the calls that is tried again, such as a checkpoint. What it is told may
   * quote content.
   */
  readonly onFailure?: BackgroundReport;
  /** The time that a statement waits for another process, as none of a server should: everybody would wait with it. */
  readonly busyTimeoutMs?: number | undefined;
  /** The time that opening, and writes, wait for another process; five seconds unless a test says otherwise. */
  readonly lockPatienceMs?: number | undefined;
  /** The time that another process may read before that is a trouble; a minute unless a test says otherwise. */
  readonly readerPatienceMs?: number | undefined;
  /** The time from an erasure until the WAL is emptied; a second unless a test says otherwise. */
  readonly truncationDelayMs?: number | undefined;
  /** The most writes that share a transaction; only the benchmark says, to see what 1 costs. */
  readonly maxBatch?: number | undefined;
}

/**
 * Opens the store and raises `clock` to the latest time that the database has seen. Throws DatabaseError, with a message
 * for the sysadmin and with nothing left open, when the database cannot be used.
 */
export function openStore(options: StoreOptions): Store {
  const ballast = openBallast(join(options.folder, BALLAST_FILE), options.ballastBytes);
  const database = openWithBallast(options, ballast);
  let files: OpenFiles | undefined;
  try {
    const { busyTimeoutMs = SHORT_BUSY_TIMEOUT_MS } = options;
    // From now on the writer waits for others without holding requests up.
    database.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    files = rememberFiles(database, join(options.folder, DATABASE_FILE));
    return assembleStore({ ...options, busyTimeoutMs }, { ballast, database, files });
  } catch (error) {
    // What is right for a file of ours harms another.
    if (files?.findLost()) createLostFiles(database, files).abandon();
    else {
      database.close();
      files?.close();
    }
    throw unusable(options.folder, error);
  }
}

/** The parts of an open store that are to be closed with it. */
interface Opened {
  readonly ballast: Ballast;
  readonly database: Database;
  readonly files: OpenFiles;
}

/** Throws what reading the database throws. */
function assembleStore(
  options: StoreOptions & { readonly busyTimeoutMs: number },
  { ballast, database, files }: Opened,
): Store {
  const { clock, ids, busyTimeoutMs } = options;
  const path = join(options.folder, DATABASE_FILE);
  const report = createBackgroundReport(options.onFailure ?? (() => undefined));
  const orm = openOrm(database);
  const lostFiles = createLostFiles(database, files);
  const areFilesOurs = lostFiles.areOurs;
  const { lengthenIndex } = files;
  const room = createReserve({ database, path, ballast, areFilesOurs, lengthenIndex, busyTimeoutMs, report });
  const reserve: Reserve = options.ballastBytes > 0 ? room : { ...room, ...NOTHING_HELD };
  const erasures = createWalTruncations(reserve.emptyWal, {
    delayMs: options.truncationDelayMs ?? TRUNCATION_DELAY_MS,
    patienceMs: options.readerPatienceMs ?? READER_PATIENCE_MS,
  });
  const feed = createFeed();
  const time = createTimeKeeper(orm, clock);
  const storedBytes = createStoredBytes({ orm });
  const reads = createReadGuard(() => {
    database.run("PRAGMA shrink_memory");
    orm.select().from(clocks).get();
  });
  const { tx, hooks } = createTransaction({
    storedBytes,
    saveTime: time.save,
    announce: feed.announce,
    truncateWalSoon: erasures.truncateSoon,
  });

  const writer = createWriter({
    database,
    // What cannot be read could not be handed out either.
    reserve: { ...reserve, held: () => reserve.held() && !reads.isFailing() },
    maxBatch: options.maxBatch,
    lockPatienceMs: options.lockPatienceMs,
    areFilesOurs,
    report,
    ...hooks,
  });
  const operations = createOperations(writer, tx);
  const context: StoreContext = {
    orm,
    operations,
    knownKeys: createKnownKeys(database),
    clock,
    ids,
    tombstoneMs: options.tombstoneSeconds * 1000,
    ...createTimeStore(operations, time),
    storedBytes,
    report,
  };
  const [secretRows, requestRows] = [prepareSecretRows(context), prepareRequestRows(context)];
  const eventWriter = createEventWriter(context);
  const calls = createCalls(context);
  const secretChanges = createSecretChanges(context, secretRows, eventWriter);
  const requestChanges = createRequestChanges(context, requestRows, eventWriter);
  const creations = createSecretCreations(secretRows, calls, eventWriter);
  const parts = { calls, creations, eventWriter };
  const vacuum = createVacuum(database, operations, report);
  const upkeep = startUpkeep({ database, files, lostFiles, writer, reserve, vacuum, erasures, reads, report });
  const troubles = createTroubles({ reserve, writer, lostFiles, reads, erasures });
  return reads.guard({
    ...createSecretStore(context, { ...parts, statements: secretRows, changes: secretChanges }),
    ...createRequestStore(context, { ...parts, statements: requestRows, changes: requestChanges }),
    ...createEventStore(context),
    ...createSweepStore(context, secretRows, secretChanges, requestChanges),
    ...createCredentialStore(context, secretRows, requestRows),
    ...createAdminStore(context),
    ...createPersonStore(context),
    subscribe: feed.subscribe,
    async findTroubles() {
      // Whether it answers at all.
      try {
        orm.select().from(clocks).get();
      } catch (error) {
        reads.note(error);
        if (troubles().length === 0) throw error;
      }
      return troubles();
    },
    close: upkeep.close,
  });
}

/**
 * Opens the database. That takes a little room too; where there is none, the WAL gives of what it holds, or else the
 * ballast, as much as it takes. Throws DatabaseError.
 */
function openWithBallast({ folder, lockPatienceMs }: StoreOptions, ballast: Ballast): Database {
  const path = join(folder, DATABASE_FILE);
  // A process without a ballast of its own leaves the server's alone.
  const give = () => ballast.bytes > 0 && (cutWalRoom(`${path}-wal`, OPENING_BYTES) || ballast.shrinkForOpening());
  // Beforehand too: where no block is free at all, ext4 ends the process that writes to SQLite's index with a bus error.
  if (freeBytes(path) === 0) give();
  for (;;) {
    try {
      return openDatabase(folder, lockPatienceMs);
    } catch (error) {
      const isForWantOfRoom = error instanceof Error && isDiskFull(error.cause);
      if (!isForWantOfRoom || !give()) throw error;
    }
  }
}

/** The reserve of a process that only administers: it holds no room. */
const NOTHING_HELD = { held: () => true, release: () => undefined, acquire: () => true };

function createFeed() {
  const listeners = new Set<(event: EventRecord) => void>();
  return {
    announce(event: EventRecord) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener: (event: EventRecord) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
