import type { EventRecord } from "../../../domain/ports/events.ts";
import type { StorageTrouble } from "../../../domain/ports/health.ts";
import { createBackgroundReport } from "../engine/background-failures.ts";
import { openOrm } from "../engine/context.ts";
import type { StoreContext } from "../engine/context.ts";
import { createEffects } from "../engine/effects.ts";
import { watchCommits } from "../engine/known-keys.ts";
import type { CommitWatch } from "../engine/known-keys.ts";
import { createLostFiles } from "../engine/lost-files.ts";
import { createOperations } from "../engine/operations.ts";
import type { LocalOperations } from "../engine/operations.ts";
import { createReadGuard } from "../engine/read-guard.ts";
import type { ReadGuard } from "../engine/read-guard.ts";
import { createTimeKeeper, createTimeStore } from "../engine/time.ts";
import { createTroubles } from "../engine/troubles.ts";
import { startUpkeep } from "../engine/upkeep.ts";
import { createWalEmptier } from "../engine/wal-emptying.ts";
import { createWriter } from "../engine/writer.ts";
import type { WriterMeasures } from "../files/storage-sizes.ts";
import { clocks } from "../schema.ts";
import { createStoredBytes } from "../stored-bytes.ts";
import type { Opened } from "./opening.ts";
import type { StoreOptions } from "./options.ts";

const TRUNCATION_DELAY_MS = 1000;
const READER_PATIENCE_MS = 60_000;

/** The side of a store that writes, and keeps its files in order. */
export interface Writing {
  readonly context: StoreContext & { readonly operations: LocalOperations };
  readonly reads: ReadGuard;
  /** Troubles with the storage, the worst first. Throws when the database can't be read and nothing says why. */
  findTroubles(): StorageTrouble[];
  measure(): WriterMeasures;
  readonly reportCommits: CommitWatch["report"];
  /** Commits pending writes, completes erasures and closes the database. Can be called again. */
  close(): Promise<void>;
}

export interface Listeners {
  /** Called with every committed event, in order, before the event's caller gets the answer. */
  readonly onEvent: (event: EventRecord) => void;
  /**
   * Called when the database's files are no longer its own, so that nothing of it may be closed any more; with true
   * when reads still find what was written.
   */
  readonly onAbandon?: (isReadable: boolean) => void;
}

/** Throws what reading the database throws. */
export function startWriting(
  options: StoreOptions,
  { ballast, database, files, descriptors, busyTimeoutMs }: Opened,
  { onEvent, onAbandon }: Listeners,
): Writing {
  const { clock } = options;
  const report = createBackgroundReport(options.onFailure ?? (() => undefined));
  const orm = openOrm(database);
  const lostFiles = createLostFiles(database, files, onAbandon);
  const areFilesOurs = lostFiles.areOurs;
  const wal = createWalEmptier({
    database,
    ballast,
    files,
    areFilesOurs,
    busyTimeoutMs,
    delayMs: options.truncationDelayMs ?? TRUNCATION_DELAY_MS,
    patienceMs: options.readerPatienceMs ?? READER_PATIENCE_MS,
    report,
  });
  const time = createTimeKeeper(orm, clock, options.onLatestTime);
  const storedBytes = createStoredBytes({ orm });
  const reads = createReadGuard(() => {
    database.run("PRAGMA shrink_memory");
    orm.select().from(clocks).get();
  });
  const { effects, hooks } = createEffects({
    storedBytes,
    catchUp: time.catchUp,
    saveTime: time.save,
    announce: onEvent,
    truncateWalSoon: wal.emptySoon,
  });
  const writer = createWriter({
    database,
    reserve: {
      // A secret that can't be read can't be handed out either.
      held: () => ballast.held() && !reads.isFailing(),
      release() {
        ballast.release();
        wal.empty();
      },
    },
    maxBatch: options.maxBatch,
    lockPatienceMs: options.lockPatienceMs,
    areFilesOurs,
    report,
    keepWalShort: wal.keepShort,
    ...hooks,
  });
  const commits = watchCommits(database, files.countCommits);
  const operations = createOperations(writer, effects, commits.noteKeyChange);
  const upkeep = startUpkeep({ database, descriptors, lostFiles, writer, operations, ballast, wal, reads, report });
  const troubles = createTroubles({ database, ballast, wal, writer, lostFiles, reads });
  return {
    context: {
      orm,
      operations,
      // A server reads keys in another thread, and remembers them there.
      knownKeys: { find: (_hash, read) => read() },
      clock,
      ids: options.ids,
      operator: options.operator,
      tombstoneMs: options.tombstoneSeconds * 1000,
      ...createTimeStore(operations, time),
      storedBytes,
      report,
    },
    reads,
    findTroubles() {
      // Checks whether the database answers at all.
      try {
        orm.select().from(clocks).get();
      } catch (error) {
        reads.note(error);
        if (troubles().length === 0) throw error;
      }
      return troubles();
    },
    measure: () => ({
      writes: writer.count(),
      reserveBytes: ballast.size(),
      wantedReserveBytes: ballast.bytes,
    }),
    reportCommits: commits.report,
    close: upkeep.close,
  };
}
