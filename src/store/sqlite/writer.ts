import type { Database } from "bun:sqlite";
import type { Ballast } from "./ballast.ts";
import { isDiskFull, storageUnavailable, toStoreError } from "./errors.ts";

/** `creation` adds to the database, and is refused on a full disk; `essential` uses the room held back for it. */
export type WriteKind = "creation" | "essential";

/** The one writer. What arrives together is committed together: each caller pays a share of one fsync. */
export interface Writer {
  /**
   * Runs `operation`, which must be synchronous, in a transaction of its own and resolves with what it returned once
   * that is on disk. Rejects with what it threw, or with a Refusal `storage_unavailable`; then it has changed nothing.
   */
  write<T>(kind: WriteKind, operation: () => T): Promise<T>;
  /** Whether creations are taken: there is room on the disk. Tries to get it where there was none. */
  acceptsCreations(): boolean;
  /** Waits for what is under way. Later writes are refused. */
  close(): Promise<void>;
}

interface Job {
  readonly kind: WriteKind;
  readonly run: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** At most so many callers wait for one another. */
export const MAX_BATCH = 256;

export interface WriterDeps {
  readonly database: Database;
  readonly ballast: Ballast;
  /** How many writes may share a transaction. */
  readonly maxBatch: number;
  /** Runs inside every transaction, before its COMMIT. */
  readonly beforeCommit: () => void;
  /** Runs after every COMMIT, before its callers hear of it. */
  readonly afterCommit: () => void;
  /** Runs after every transaction that was taken back. */
  readonly afterRollback: () => void;
}

/** The writer of `database`. There must be no other one in this process. */
export function createWriter(deps: WriterDeps): Writer {
  const { database, ballast, maxBatch } = deps;
  let queue: Job[] = [];
  let scheduled = false;
  let closing: (() => void) | undefined;
  let closed = false;

  const begin = database.query("BEGIN IMMEDIATE");
  const commit = database.query("COMMIT");
  const rollback = database.query("ROLLBACK");
  const savepoint = database.query("SAVEPOINT job");
  const release = database.query("RELEASE job");
  const undo = database.query("ROLLBACK TO job");

  /** Returns the error of this job alone; throws when SQLite has taken the whole transaction back. */
  const runJob = (job: Job): unknown => {
    savepoint.run();
    try {
      job.run();
      release.run();
      return undefined;
    } catch (error) {
      if (!database.inTransaction) throw error;
      undo.run();
      release.run();
      // Room on the disk is everybody's matter: the batch is tried again without its creations.
      if (isDiskFull(error)) throw error;
      return error ?? new Error("a write was rejected without a reason");
    }
  };

  const runBatch = (jobs: readonly Job[]): void => {
    const failures = new Map<Job, unknown>();
    try {
      begin.run();
      for (const job of jobs) {
        const error = runJob(job);
        if (error !== undefined) failures.set(job, error);
      }
      deps.beforeCommit();
      commit.run();
    } catch (error) {
      if (database.inTransaction) rollback.run();
      deps.afterRollback();
      throw error;
    }
    deps.afterCommit();
    for (const job of jobs) {
      if (failures.has(job)) job.reject(toStoreError(failures.get(job)));
      else job.resolve();
    }
  };

  const rejectAll = (jobs: readonly Job[], error: unknown) => {
    for (const job of jobs) job.reject(toStoreError(error));
  };

  const runWithoutRoom = (jobs: readonly Job[], error: unknown): void => {
    ballast.release();
    const essential = jobs.filter((job) => job.kind === "essential");
    rejectAll(
      jobs.filter((job) => job.kind === "creation"),
      error,
    );
    try {
      if (essential.length > 0) runBatch(essential);
    } catch (second) {
      rejectAll(essential, second);
    }
  };

  const flush = () => {
    const jobs = queue.slice(0, maxBatch);
    queue = queue.slice(maxBatch);
    try {
      runBatch(jobs);
    } catch (error) {
      if (isDiskFull(error)) runWithoutRoom(jobs, error);
      else rejectAll(jobs, error);
    }
    scheduled = queue.length > 0;
    if (scheduled) setImmediate(flush);
    else closing?.();
  };

  return {
    write<T>(kind: WriteKind, operation: () => T): Promise<T> {
      if (closed || (kind === "creation" && !ballast.held())) return Promise.reject(storageUnavailable());
      return new Promise<T>((resolve, reject) => {
        let result: T;
        queue.push({ kind, run: () => void (result = operation()), resolve: () => resolve(result), reject });
        if (!scheduled) {
          scheduled = true;
          setImmediate(flush);
        }
      });
    },
    acceptsCreations: () => ballast.acquire(),
    async close() {
      closed = true;
      if (scheduled) await new Promise<void>((resolve) => (closing = resolve));
    },
  };
}
