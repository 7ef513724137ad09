import type { Database } from "bun:sqlite";
import type { WriteCounts } from "../../../domain/ports/statistics.ts";
import { outcomeUnknown, storageUnavailable } from "../../../domain/storage-refusals.ts";
import type { OperationKind } from "../../../domain/transactions/operations.ts";
import { createBatchCounter } from "../../../domain/values/batch-counts.ts";
import { createGathering } from "../../../domain/values/gathering.ts";
import { isDiskFull, isLocked, leavesNoFrames, toStoreError } from "../files/errors.ts";
import type { BackgroundReport } from "./background-failures.ts";
import { createWalTail } from "./wal-tail.ts";
import type { WalTail } from "./wal-tail.ts";

/** The one writer. Jobs that arrive together are committed together: each caller pays a share of one fsync. */
export interface Writer {
  /**
   * Runs `operation`, which must be synchronous, in a transaction of its own, and resolves with its result once that is
   * on disk. Rejects with its error, or with a Refusal `storage_unavailable`. Then nothing was changed, unless the
   * Refusal's detail says that this isn't known. `bytes` is about how much it adds to the database; only large
   * operations need to say.
   */
  write<T>(kind: OperationKind, operation: () => T, bytes?: number): Promise<T>;
  /** True while another process holds the database: from the first write that had to wait for it until one succeeds. */
  isHeldUp(): boolean;
  /** True when writes are refused because a flush failed and its transaction can't be undone for certain. */
  isInDoubt(): boolean;
  /** The numbers of committed transactions, and of the writes in them. */
  count(): WriteCounts;
  /** Waits for pending writes. Later writes are refused. */
  close(): Promise<void>;
}

interface Job {
  readonly kind: OperationKind;
  readonly bytes: number;
  readonly operation: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The maximum number of callers that wait for one another. */
const MAX_BATCH = 256;

/**
 * A batch that adds more is closed. On a full disk, the WAL of the last commit must still fit into the database with
 * the ballast's space, or it could never be emptied again.
 */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * After a slow batch, the next one waits for the callers of the last one. Otherwise a slow disk always has two groups
 * of callers, each waiting for the other's flush. The wait is a small share of the batch's time.
 */
const GATHERING = { leastMs: 2, share: 1 / 4, mostMs: 10 } as const;

/** How long writes wait for another process, such as the admin command, and how often they check whether it is done. */
const LOCK_PATIENCE_MS = 5000;
const LOCK_RETRY_MS = 50;

/** The time between two attempts to undo a failed commit for certain. */
const DOUBT_RETRY_MS = 1000;

export interface WriterDeps {
  readonly database: Database;
  /** The space reserved for essential writes. Creations are refused while it isn't held. */
  readonly reserve: { held(): boolean; release(): void };
  /** The maximum number of writes in a transaction; 256 by default. */
  readonly maxBatch?: number | undefined;
  /** How long writes wait for another process; five seconds by default. */
  readonly lockPatienceMs?: number | undefined;
  /** True while the files of the database are still its own. After that nothing is written to them. */
  readonly areFilesOurs: () => boolean;
  /** Called with failures that no caller gets. */
  readonly report: BackgroundReport;
  /** Runs inside every transaction, before anything else. */
  readonly afterBegin: () => void;
  /** Runs inside every transaction, before its COMMIT. */
  readonly beforeCommit: () => void;
  /** Called after every COMMIT, before its callers get their results. Must not throw. */
  readonly afterCommit: () => void;
  /**
   * Copies a WAL that has become long. Called between two batches, after the callers of the first got their results.
   * Must not throw.
   */
  readonly keepWalShort: () => void;
  /** Called after every transaction that was rolled back. */
  readonly afterRollback: () => void;
  /** Called before every operation. The function that it returns is called if only that operation is rolled back. */
  readonly beforeOperation: () => () => void;
}

/** Creates the writer of `database`. There must be no other one in this process. */
export function createWriter(deps: WriterDeps): Writer {
  const { reserve, maxBatch = MAX_BATCH, lockPatienceMs = LOCK_PATIENCE_MS } = deps;
  const tail = createWalTail(deps.database, deps.areFilesOurs, deps.report);
  const batches = createBatchCounter();
  const runBatch = createBatchRunner(deps, tail, batches.add);
  const queue: Job[] = [];
  let scheduled = false;
  let heldUpSince: number | undefined;
  /** True when the last writes were refused because another process held the database for too long. */
  let isLockedOut = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let closing: PromiseWithResolvers<void> | undefined;

  const takeBatch = (): Job[] => {
    let bytes = 0;
    let count = 0;
    while (count < Math.min(maxBatch, queue.length) && bytes <= MAX_BATCH_BYTES) bytes += queue[count++]?.bytes ?? 0;
    return queue.splice(0, count);
  };

  /** The error for a caller whose transaction failed. */
  const toOutcome = (error: unknown): unknown => (tail.isInDoubt() ? outcomeUnknown(error) : toStoreError(error));

  const runWithoutRoom = (jobs: readonly Job[], error: unknown): void => {
    reserve.release();
    tail.overwrite();
    for (const job of jobs) {
      if (job.kind === "creation" || tail.isInDoubt()) job.reject(toOutcome(error));
      // Each runs alone, so that one without space doesn't fail the others.
      else {
        attempt([job], (second) => job.reject(toOutcome(second)));
        deps.keepWalShort();
      }
    }
  };

  /**
   * Overwrites the failed commit after a while. Until that succeeds no other transaction begins, so that nothing else
   * comes into doubt.
   */
  const settleLater = () => {
    clearTimeout(settling);
    settling = setTimeout(() => void (tail.overwrite() || closing || settleLater()), DOUBT_RETRY_MS).unref();
  };

  const attempt = (jobs: readonly Job[], onError: (error: unknown) => void): void => {
    try {
      runBatch(jobs);
    } catch (error) {
      onError(error);
    }
  };

  /**
   * True when a job may wait for another process outside SQLite. Waiting inside would delay every request, even those
   * that write nothing.
   */
  const mayWait = (error: unknown): boolean =>
    isLocked(error) && performance.now() - (heldUpSince ??= performance.now()) < lockPatienceMs;

  const flush = () => {
    const startedAt = performance.now();
    const jobs = takeBatch();
    let isWaiting = false;
    isLockedOut = false;
    // They waited while an earlier batch came into doubt, and haven't run yet.
    if (tail.isInDoubt()) for (const job of jobs) job.reject(storageUnavailable());
    else
      attempt(jobs, (error) => {
        isWaiting = mayWait(error);
        if (isWaiting) queue.unshift(...jobs);
        else if (isDiskFull(error)) runWithoutRoom(jobs, error);
        else {
          isLockedOut = isLocked(error);
          for (const job of jobs) job.reject(toOutcome(error));
        }
        if (tail.isInDoubt()) settleLater();
      });
    if (!isWaiting) heldUpSince = undefined;
    if (isWaiting) setTimeout(flush, LOCK_RETRY_MS);
    // In its own turn, so that nobody waits for a checkpoint that their own transaction made due.
    else setImmediate(goOn, jobs.length, performance.now() - startedAt);
  };
  const gathering = createGathering(flush);

  const goOn = (answered: number, tookMs: number) => {
    deps.keepWalShort();
    scheduled = queue.length > 0;
    if (!scheduled) closing?.resolve();
    else if (tookMs < GATHERING.leastMs || queue.length >= maxBatch) setImmediate(flush);
    else
      gathering.begin(
        Math.min(queue.length + answered, maxBatch),
        Math.min(tookMs * GATHERING.share, GATHERING.mostMs),
      );
  };

  return {
    write<T>(kind: OperationKind, operation: () => T, bytes = 0): Promise<T> {
      if (closing || tail.isInDoubt() || (kind === "creation" && !reserve.held()))
        return Promise.reject(storageUnavailable());
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      queue.push({ kind, bytes, operation, resolve: resolve as Job["resolve"], reject });
      gathering.note(queue.length);
      if (!scheduled) setImmediate(flush);
      scheduled = true;
      return promise;
    },
    isHeldUp() {
      // Nobody may write for a long time, so the last refusal says less and less.
      if (isLockedOut && !scheduled && !closing) isLockedOut = isHeldNow(deps.database);
      return isLockedOut || heldUpSince !== undefined;
    },
    isInDoubt: () => tail.isInDoubt(),
    count: batches.count,
    close() {
      closing ??= Promise.withResolvers();
      if (!scheduled) closing.resolve();
      return closing.promise.then(() => void tail.overwrite());
    },
  };
}

/** True when another process holds `database`, as far as an attempt shows. */
function isHeldNow(database: Database): boolean {
  try {
    database.run("BEGIN IMMEDIATE");
    database.run("ROLLBACK");
    return false;
  } catch (error) {
    return isLocked(error);
  }
}

/** A job has failed, which fails the whole transaction for now. */
class JobFailed extends Error {}

/** Answers the caller of a job, once the transaction is committed. */
type AnswerCaller = () => void;

/**
 * Returns a function that runs jobs in one transaction and answers them. If that fails, it throws, with nothing changed
 * or answered.
 */
function createBatchRunner(
  deps: WriterDeps,
  tail: WalTail,
  onCommit: (writes: number) => void,
): (jobs: readonly Job[]) => void {
  const { database } = deps;
  const begin = database.query("BEGIN IMMEDIATE");
  const commit = database.query("COMMIT");
  const rollback = database.query("ROLLBACK");
  const savepoint = database.query("SAVEPOINT job");
  const release = database.query("RELEASE job");
  const undo = database.query("ROLLBACK TO job");

  const refuseForeignFiles = () => {
    if (!deps.areFilesOurs()) throw storageUnavailable();
  };

  /** Runs a job under a savepoint. Throws when SQLite has rolled back the whole transaction. */
  const runApart = (job: Job): AnswerCaller => {
    const takeBack = deps.beforeOperation();
    savepoint.run();
    try {
      const value = job.operation();
      release.run();
      return () => job.resolve(value);
    } catch (error) {
      if (!isOfJobAlone(error)) throw error;
      undo.run();
      release.run();
      takeBack();
      return () => job.reject(toStoreError(error));
    }
  };

  // Every job needs disk space, so the batch is tried again without its creations.
  const isOfJobAlone = (error: unknown) => database.inTransaction && !isDiskFull(error);

  const runTogether = (job: Job): AnswerCaller => {
    try {
      const value = job.operation();
      return () => job.resolve(value);
    } catch (error) {
      throw isOfJobAlone(error) ? new JobFailed() : error;
    }
  };

  const runTransaction = (jobs: readonly Job[], run: (job: Job) => AnswerCaller): readonly AnswerCaller[] => {
    let isCommitting = false;
    try {
      // Large data is written before its COMMIT.
      refuseForeignFiles();
      begin.run();
      deps.afterBegin();
      const answers = jobs.map(run);
      deps.beforeCommit();
      refuseForeignFiles();
      isCommitting = true;
      commit.run();
      return answers;
    } catch (error) {
      deps.afterRollback();
      if (database.inTransaction) rollback.run();
      if (isCommitting && !leavesNoFrames(error)) tail.doubt();
      // Before any caller is answered: a caller that gets a failure must be able to try again, even after a crash.
      tail.overwrite();
      throw error;
    }
  };

  /** Savepoints cost up to a fifth of a job, and hardly any job fails, so they are used only in the second attempt. */
  const runBatch = (jobs: readonly Job[]): readonly AnswerCaller[] => {
    try {
      return runTransaction(jobs, runTogether);
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error;
      return runTransaction(jobs, runApart);
    }
  };

  return (jobs) => {
    const answers = runBatch(jobs);
    onCommit(jobs.length);
    deps.afterCommit();
    for (const answer of answers) answer();
  };
}
