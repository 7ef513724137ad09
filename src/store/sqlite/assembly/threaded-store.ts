import type { Database } from "bun:sqlite";
import { join } from "node:path";
import { createBackgroundReport } from "../engine/background-failures.ts";
import { openOrm } from "../engine/context.ts";
import type { StoreContext } from "../engine/context.ts";
import { openDatabase, unusable } from "../engine/database.ts";
import { createKnownKeys } from "../engine/known-keys.ts";
import { abandonDatabase } from "../engine/lost-files.ts";
import { createReadGuard } from "../engine/read-guard.ts";
import { createTimeKeeper, createTimeStore } from "../engine/time.ts";
import { addReadTroubles } from "../engine/troubles.ts";
import { openBallast } from "../files/ballast.ts";
import { BALLAST_FILE, DATABASE_FILE } from "../files/data-folder.ts";
import { measureFiles } from "../files/storage-sizes.ts";
import { openWalIndex } from "../files/wal-state.ts";
import { clocks } from "../schema.ts";
import { createStoredBytes } from "../stored-bytes.ts";
import { createFeed } from "./feed.ts";
import { openWithBallast, SHORT_BUSY_TIMEOUT_MS } from "./opening.ts";
import type { StoreOptions } from "./options.ts";
import { createParts } from "./parts.ts";
import type { SqliteStore } from "./parts.ts";
import { startResting } from "./rests.ts";
import { startWriterThread } from "./writer-threads.ts";

/** Every commit of the writer empties it. */
const READER_CACHE_KIB = 4096;

export interface ThreadedStoreOptions extends StoreOptions {
  /** Called when the writer's thread has ended: nothing can be written any more. */
  readonly onEnd: (error: Error) => void;
  /** Starts the writer's thread; tests replace it to reuse threads. */
  readonly startThread?: (() => Worker) | undefined;
}

/**
 * Opens the store like `openStore`, but with a thread for the writer, so that reads, which stay in this thread, don't
 * wait for the disk. They see a committed row before its caller gets the answer.
 */
export function openThreadedStore(options: ThreadedStoreOptions): SqliteStore {
  const { folder, ballastBytes, busyTimeoutMs = SHORT_BUSY_TIMEOUT_MS } = options;
  const database = openWithBallast(options, openBallast(join(folder, BALLAST_FILE), ballastBytes), openDatabase);
  const opened = new DisposableStack();
  try {
    // From now on only the thread writes.
    for (const pragma of ["query_only = ON", `busy_timeout = ${busyTimeoutMs}`, `cache_size = ${-READER_CACHE_KIB}`]) {
      database.run(`PRAGMA ${pragma}`);
    }
    return assemble(options, database, opened);
  } catch (error) {
    database.close();
    opened.dispose();
    throw unusable(folder, error);
  }
}

/** Throws what reading the database throws. `opened` gets what is to be ended after the database is closed. */
function assemble(options: ThreadedStoreOptions, database: Database, opened: DisposableStack): SqliteStore {
  const { clock, ids, onEnd, startThread, onFailure = () => undefined, onLatestTime, ...settings } = options;
  const path = join(settings.folder, DATABASE_FILE);
  const orm = openOrm(database);
  const time = createTimeKeeper(orm, clock, onLatestTime);
  const feed = createFeed();
  const reads = createReadGuard(() => {
    database.run("PRAGMA shrink_memory");
    orm.select().from(clocks).get();
  });
  const walIndex = openWalIndex(`${path}-shm`, opened);
  const knownKeys = createKnownKeys(walIndex.countCommits);
  let isAbandoned = false;
  const thread = startWriterThread({
    settings,
    clock,
    isFailing: reads.isFailing,
    onCommits: knownKeys.trust,
    onEvent: feed.announce,
    onFailure,
    onAbandon(isReadable) {
      isAbandoned = true;
      if (!isReadable) reads.refuse();
      stopResting();
      abandonDatabase(database);
    },
    onEnd,
    startThread,
  });
  opened.defer(() => void thread.close());
  const context: StoreContext = {
    orm,
    operations: thread.operations,
    knownKeys,
    clock,
    ids,
    operator: settings.operator,
    tombstoneMs: settings.tombstoneSeconds * 1000,
    ...createTimeStore(thread.operations, time),
    storedBytes: createStoredBytes({ orm }),
    report: createBackgroundReport(onFailure),
  };
  const stopResting = startResting(database);
  const close = async () => {
    stopResting();
    // Before the thread closes its own: the last connection to close empties the WAL.
    if (!isAbandoned) database.close();
    await thread.close();
    // Not earlier: closing a descriptor ends the locks that SQLite holds on the file.
    if (!isAbandoned) opened.dispose();
  };
  let closed: Promise<void> | undefined;
  return reads.guard({
    ...reads.refusable(createParts(context)),
    subscribe: feed.subscribe,
    async findTroubles() {
      try {
        orm.select().from(clocks).get();
      } catch (error) {
        reads.note(error);
      }
      return addReadTroubles(await thread.findTroubles(), reads);
    },
    measureStorage: async () => ({ ...measureFiles(settings.folder), ...(await thread.measure()) }),
    close: () => (closed ??= close()),
  });
}
