import { LARGE_CIPHERTEXT_BYTES } from "../../../contract/ciphertexts.ts";
import { LARGE_VERSION } from "../../../contract/states.ts";
import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { NewEvent } from "../../../domain/ports/events.ts";
import type { WriteCounts } from "../../../domain/ports/statistics.ts";
import { outcomeUnknown, storageUnavailable } from "../../../domain/storage-refusals.ts";
import type { Needs } from "../../../domain/transactions/transaction.ts";
import { createBatchCounter } from "../../../domain/values/batch-counts.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import { createGathering } from "../../../domain/values/gathering.ts";
import type { Connection, Database, HeldConnection } from "./database.ts";
import { isConnectionLost, isDiskFull, isRetryable, isTooSlow, isUnanswered, toStoreError } from "./errors.ts";
import { begin } from "./finding.ts";
import type { DriverRow } from "./rows.ts";
import { createTransaction } from "./transaction.ts";
import type { StagedTransaction } from "./transaction.ts";
import { commit } from "./writing.ts";
import type { Committed } from "./writing.ts";

/**
 * The one writer of this process. It commits writes that arrive together as one batch (group commit): two round trips
 * and one flush for all.
 */
export interface Writer {
  /**
   * Loads the rows that `needs` names, calls `run`, and resolves with its value once the changes are durable. May call
   * `run` more than once. Rejects with an error of `run`, or with a Refusal `storage_unavailable`; then nothing has
   * changed, unless the outcome of the refusal is unknown.
   */
  write<T>(needs: Needs, run: (tx: StagedTransaction) => T, bytes?: number): Promise<T>;
  /**
   * Runs `work` in its own transaction, after all earlier writes; for rare changes. `append` adds an event. Resolves
   * and rejects as `write` does.
   */
  alone<T>(work: (connection: Connection, append: (event: NewEvent) => void) => Promise<T>): Promise<T>;
  count(): WriteCounts;
  /** Waits for pending writes. Later writes are refused. */
  close(): Promise<void>;
}

interface Caller {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Job extends Caller {
  readonly needs: Needs;
  readonly bytes: number;
  readonly run: (tx: StagedTransaction) => unknown;
}

/** A job that shares its transaction with no other. */
interface LoneJob extends Caller {
  readonly work: (connection: Connection, append: (event: NewEvent) => void) => Promise<unknown>;
}

const MAX_BATCH = 256;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/**
 * After a batch of several callers the next one waits for them, as long as the batch took, but no longer than this.
 * Otherwise few callers split into groups, and each group pays for round trips of its own.
 */
const MOST_GATHERING_MS = 10;
/** The maximum number of attempts when other transactions commit first. */
const MAX_ATTEMPTS = 5;

export interface WriterDeps {
  readonly database: Database;
  readonly clock: MonotonicClock;
  readonly operator: Operator | undefined;
  /** How long an ended secret or request (a tombstone) and an event are kept. */
  readonly tombstoneMs: number;
  /** The name of this process in the notifications of events. */
  readonly origin: string;
  /** Called with the row of `CLOCK` that each transaction reads. */
  readonly onClock: (clock: DriverRow | undefined) => void;
  /** Called after each commit, in order, before its callers are answered. Must not throw. */
  readonly onCommit: (committed: Committed) => void;
  /**
   * Called after each transaction with its error, or undefined when it was committed, and the bytes that it was to
   * store.
   */
  readonly onOutcome: (error: unknown, bytes: number) => void;
}

export function createWriter(options: WriterDeps): Writer {
  const queue: (Job | LoneJob)[] = [];
  const deps = { ...options, onOutcome };
  const batches = createBatchCounter();
  let working: Promise<void> | undefined;
  let isClosed = false;

  function onOutcome(error: unknown, bytes: number): void {
    options.onOutcome(error, bytes);
    const cause = error instanceof OutcomeUnknown ? error.cause : error;
    // Queued jobs have waited as long, and would wait as long again.
    if (isTooSlow(cause)) for (const job of queue.splice(0)) job.reject(storageUnavailable(cause));
  }

  const takeBatch = (): readonly Job[] | LoneJob | undefined => {
    const [first] = queue;
    if (first && "work" in first) return queue.shift() as LoneJob;
    const jobs: Job[] = [];
    let bytes = 0;
    for (let next = queue[0]; next && !("work" in next); next = queue[0]) {
      if (jobs.length === MAX_BATCH || bytes > MAX_BATCH_BYTES) break;
      jobs.push(next);
      bytes += next.bytes;
      queue.shift();
    }
    return jobs.length > 0 ? jobs : undefined;
  };

  let onGathered: (() => void) | undefined;
  const gathering = createGathering(() => onGathered?.());
  const gather = async (answered: number, tookMs: number) => {
    const jobs = Math.min(queue.length + answered, MAX_BATCH);
    if (answered === 1 || queue.length >= jobs || isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    onGathered = resolve;
    gathering.begin(jobs, Math.min(tookMs, MOST_GATHERING_MS));
    await promise;
  };
  const flush = async () => {
    // All writes of this tick go into one batch.
    await new Promise(setImmediate);
    for (let next = takeBatch(); next; next = takeBatch()) {
      if ("work" in next) await runAlone(deps, next);
      else {
        const startedAt = performance.now();
        await runBatch(deps, next, batches.add);
        await gather(next.length, performance.now() - startedAt);
      }
    }
  };
  const start = () => {
    working ??= flush().finally(() => {
      working = undefined;
      if (queue.length > 0) start();
    });
  };
  const enqueue = <T>(job: Omit<Job, keyof Caller> | Omit<LoneJob, keyof Caller>): Promise<T> => {
    if (isClosed) return Promise.reject(storageUnavailable());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    queue.push({ ...job, resolve: resolve as Caller["resolve"], reject });
    gathering.note(queue.length);
    start();
    return promise;
  };

  return {
    write: (needs, run, bytes = 0) => enqueue({ needs, run, bytes }),
    alone: (work) => enqueue({ work }),
    count: batches.count,
    async close() {
      isClosed = true;
      while (working) await working;
    },
  };
}

/** A transaction whose COMMIT was sent, but not answered. */
class OutcomeUnknown extends Error {}

/** Runs jobs in one transaction and answers them. When the transaction fails, runs each job in its own. */
async function runBatch(deps: WriterDeps, jobs: readonly Job[], onCommit: (writes: number) => void): Promise<void> {
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  try {
    const { answers, postponed } = await withRetries(deps, (connection, locksClock) =>
      runTogether(deps, connection, jobs, locksClock),
    );
    deps.onOutcome(undefined, bytes);
    onCommit(answers.length);
    for (const answer of answers) answer();
    if (postponed.length > 0) await runBatch(deps, postponed, onCommit);
  } catch (error) {
    deps.onOutcome(error, bytes);
    if (jobs.length > 1 && mayBeOneJobsFault(error)) for (const job of jobs) await runBatch(deps, [job], onCommit);
    else for (const job of jobs) job.reject(toOutcome(error));
  }
}

async function runAlone(deps: WriterDeps, job: LoneJob): Promise<void> {
  try {
    const value = await withRetries(deps, async (connection) => {
      const { tx, done } = await rollBackOnError(connection, async () => {
        // Locks the clock first: a transaction that waits for it must not hold other locks.
        const found = await begin(connection, [], (clock) => timeOf(deps, clock), true);
        const begun = createTransaction(found, deps.tombstoneMs);
        return { tx: begun, done: await job.work(connection, begun.append) };
      });
      await finish(deps, connection, tx, true);
      return done;
    });
    deps.onOutcome(undefined, 0);
    job.resolve(value);
  } catch (error) {
    deps.onOutcome(error, 0);
    job.reject(toOutcome(error));
  }
}

/** True when a statement failed because of its data or size, so that one job may be at fault. */
function mayBeOneJobsFault(error: unknown): boolean {
  if (isDiskFull(error)) return true;
  return !(error instanceof OutcomeUnknown) && !isConnectionLost(error) && toStoreError(error) === error;
}

function toOutcome(error: unknown): unknown {
  return error instanceof OutcomeUnknown ? outcomeUnknown(error.cause) : toStoreError(error);
}

/**
 * Runs a transaction, and retries it when it lost a race. A retry locks the clock first. Throws the error of the last
 * attempt.
 */
async function withRetries<T>(
  { database }: WriterDeps,
  attempt: (connection: HeldConnection, locksClock: boolean) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    using connection = await database.hold();
    try {
      return await attempt(connection, attempts > 1);
    } catch (error) {
      // It may be committed, so a retry could apply it twice.
      if (error instanceof OutcomeUnknown) throw error;
      // A pooled connection may have been lost while it was idle. A caller without an answer has waited long enough.
      const isLost = isConnectionLost(error) && !isUnanswered(error);
      const mayRetry = isRetryable(error) ? attempts < MAX_ATTEMPTS : isLost && attempts === 1;
      if (!mayRetry) throw error;
    }
  }
}

/** Rolls the transaction back when `work` fails. A failed COMMIT has ended the transaction by itself. */
async function rollBackOnError<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConnectionLost(error)) await connection.run("ROLLBACK");
    throw error;
  }
}

/** The jobs of a committed transaction. */
interface Together {
  /** Answers the caller of each job that has run: with its value, or with the error of a job that failed alone. */
  readonly answers: readonly (() => void)[];
  /** The jobs that have not run: a ciphertext that they need was not read, because those of other jobs were large. */
  readonly postponed: readonly Job[];
}

async function runTogether(
  deps: WriterDeps,
  connection: Connection,
  jobs: readonly Job[],
  locksClock: boolean,
): Promise<Together> {
  const needs = jobs.map((job) => job.needs);
  const found = await rollBackOnError(connection, () =>
    begin(connection, needs, (clock) => timeOf(deps, clock), locksClock),
  );
  const tx = createTransaction(found, deps.tombstoneMs);
  const answers: (() => void)[] = [];
  const postponed: Job[] = [];
  for (const job of jobs) {
    const undo = tx.mark();
    try {
      if (isUnread(tx, job.needs)) {
        postponed.push(job);
        continue;
      }
      const value = job.run(tx);
      answers.push(() => job.resolve(value));
    } catch (error) {
      undo();
      answers.push(() => job.reject(toStoreError(error)));
    }
  }
  await finish(deps, connection, tx, locksClock);
  return { answers, postponed };
}

/** True when a ciphertext that a job needs is stored but was not read. */
function isUnread(tx: StagedTransaction, { ciphertextIds = [], smallCiphertextIds = [] }: Needs): boolean {
  const isMissing = (id: string) => tx.staged.sealed.get(id)?.ciphertext === null;
  const isSmall = (id: string) => {
    const { envelopeVersion, ciphertextBytes = 0 } = tx.staged.secrets.get(id) ?? {};
    return envelopeVersion === LARGE_VERSION || ciphertextBytes < LARGE_CIPHERTEXT_BYTES;
  };
  return ciphertextIds.some(isMissing) || smallCiphertextIds.some((id) => isSmall(id) && isMissing(id));
}

async function finish(
  deps: WriterDeps,
  connection: Connection,
  tx: StagedTransaction,
  locksClock: boolean,
): Promise<void> {
  const { operator, origin, clock, onCommit } = deps;
  try {
    const committed = await commit(connection, tx, { operator, origin, locksClock });
    clock.raise(committed.latestAt);
    onCommit(committed);
  } catch (error) {
    throw isConnectionLost(error) ? new OutcomeUnknown("the commit was not heard of", { cause: error }) : error;
  }
}

/** The time of a transaction: no earlier than the latest time that the database has seen. */
function timeOf({ clock, onClock }: WriterDeps, row: DriverRow | undefined): number {
  onClock(row);
  return clock.now();
}
