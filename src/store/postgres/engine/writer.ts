import { LARGE_CIPHERTEXT_BYTES } from "../../../contract/ciphertexts.ts";
import type { Operator } from "../../../domain/ports/admin-log.ts";
import type { NewEvent } from "../../../domain/ports/events.ts";
import type { WriteCounts } from "../../../domain/ports/statistics.ts";
import { outcomeUnknown, storageUnavailable } from "../../../domain/storage-refusals.ts";
import type { Needs } from "../../../domain/transactions/transaction.ts";
import { createBatchCounter } from "../../../domain/values/batch-counts.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import type { Connection, Database, HeldConnection } from "./database.ts";
import { isConnectionLost, isDiskFull, isOutrun, isTooSlow, isUnanswered, toStoreError } from "./errors.ts";
import { begin } from "./finding.ts";
import type { DriverRow } from "./rows.ts";
import { createTransaction } from "./transaction.ts";
import type { StagedTransaction } from "./transaction.ts";
import { commit } from "./writing.ts";
import type { Committed } from "./writing.ts";

/** The one writer of this process. What arrives together is committed together: two round trips and one flush for all. */
export interface Writer {
  /**
   * Finds what `needs` says, decides by `run` what becomes of it, and resolves with what that returned once it is on disk. It may be
   * decided more than once. Rejects with what `run` threw, or with a Refusal `storage_unavailable`; then nothing has changed,
   * unless its outcome is unknown.
   */
  write<T>(needs: Needs, run: (tx: StagedTransaction) => T, bytes?: number): Promise<T>;
  /** Runs `work` in a transaction of its own, in which it can tell of events, after all others; for what is rare. Resolves and rejects as `write` does. */
  alone<T>(work: (connection: Connection, tell: (event: NewEvent) => void) => Promise<T>): Promise<T>;
  count(): WriteCounts;
  /** Waits for what is under way. Later writes are refused. */
  close(): Promise<void>;
}

interface Job {
  readonly needs: Needs;
  readonly bytes: number;
  readonly run: (tx: StagedTransaction) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Work that shares a transaction with nothing else. */
interface LoneJob {
  readonly work: (connection: Connection, tell: (event: NewEvent) => void) => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 256;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** The most often that the same is decided anew, because others were first. */
const MAX_ATTEMPTS = 5;

export interface WriterDeps {
  readonly database: Database;
  readonly clock: MonotonicClock;
  readonly operator: Operator | undefined;
  /** The time that an ended secret or request, or an event, stays to be seen. */
  readonly tombstoneMs: number;
  /** The name of this process among those that are told of events. */
  readonly origin: string;
  /** Hears what the database says of the time. */
  readonly onClock: (clock: DriverRow | undefined) => void;
  /** Hears of every commit, in order, before its callers do. Must not throw. */
  readonly onCommit: (committed: Committed) => void;
  /** Hears how each transaction ended, in which so many bytes were to be stored: what it failed with, undefined when it was committed. */
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
    // What came meanwhile has waited for as long, and would wait for as long again.
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

  const flush = async () => {
    // All that is asked for in this turn goes together.
    await new Promise(setImmediate);
    for (let next = takeBatch(); next; next = takeBatch()) {
      if ("work" in next) await runAlone(deps, next);
      else await runBatch(deps, next, batches.add);
    }
  };
  const start = () => {
    working ??= flush().finally(() => {
      working = undefined;
      if (queue.length > 0) start();
    });
  };
  const enqueue = <T>(toJob: (settle: PromiseWithResolvers<T>) => Job | LoneJob): Promise<T> => {
    if (isClosed) return Promise.reject(storageUnavailable());
    const settle = Promise.withResolvers<T>();
    queue.push(toJob(settle));
    start();
    return settle.promise;
  };

  return {
    write<T>(needs: Needs, run: (tx: StagedTransaction) => T, bytes = 0) {
      return enqueue<T>(({ resolve, reject }) => {
        let outcome: { readonly value: T } | undefined;
        return {
          needs,
          bytes,
          run: (tx) => void (outcome = { value: run(tx) }),
          resolve: () => void (outcome && resolve(outcome.value)),
          reject,
        };
      });
    },
    alone<T>(work: (connection: Connection, tell: (event: NewEvent) => void) => Promise<T>) {
      return enqueue<T>(({ resolve, reject }) => {
        let outcome: { readonly value: T } | undefined;
        return {
          work: async (connection, tell) => void (outcome = { value: await work(connection, tell) }),
          resolve: () => void (outcome && resolve(outcome.value)),
          reject,
        };
      });
    },
    count: batches.count,
    async close() {
      isClosed = true;
      while (working) await working;
    },
  };
}

/** A ciphertext that a job needs was not read, because those of others were large. */
class Postponed extends Error {}

/** A transaction that was decided, but whose commit nobody has heard of. */
class OutcomeUnknown extends Error {}

/** Runs jobs together and answers them. When they fail together, each is run by itself. */
async function runBatch(deps: WriterDeps, jobs: readonly Job[], onCommit: (writes: number) => void): Promise<void> {
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  try {
    const failures = await attemptOften(deps, (connection, isLast) => runTogether(deps, connection, jobs, isLast));
    deps.onOutcome(undefined, bytes);
    const postponed = jobs.filter((job) => failures.get(job) instanceof Postponed);
    onCommit(jobs.length - postponed.length);
    for (const job of jobs) {
      if (!failures.has(job)) job.resolve();
      else if (!postponed.includes(job)) job.reject(toStoreError(failures.get(job)));
    }
    if (postponed.length > 0) await runBatch(deps, postponed, onCommit);
  } catch (error) {
    deps.onOutcome(error, bytes);
    if (jobs.length > 1 && isOfOneAlone(error)) for (const job of jobs) await runBatch(deps, [job], onCommit);
    else for (const job of jobs) job.reject(toOutcome(error));
  }
}

async function runAlone(deps: WriterDeps, job: LoneJob): Promise<void> {
  try {
    await attemptOften(deps, async (connection) => {
      const tx = await takingBack(connection, async () => {
        // First of all: nobody who holds something else waits for it then.
        const found = await begin(connection, [], (clock) => timeOf(deps, clock), true);
        const begun = createTransaction(found, deps.tombstoneMs);
        await job.work(connection, begun.append);
        return begun;
      });
      return finish(deps, connection, tx, true);
    });
    deps.onOutcome(undefined, 0);
    job.resolve();
  } catch (error) {
    deps.onOutcome(error, 0);
    job.reject(toOutcome(error));
  }
}

/** True when a statement failed for what is in it, which may be the fault of one job: for one, it needs room where there is none. */
function isOfOneAlone(error: unknown): boolean {
  if (isDiskFull(error)) return true;
  return !(error instanceof OutcomeUnknown) && !isConnectionLost(error) && toStoreError(error) === error;
}

function toOutcome(error: unknown): unknown {
  return error instanceof OutcomeUnknown ? outcomeUnknown(error.cause) : toStoreError(error);
}

/** Attempts a transaction, again when others were first: then it goes before them. Throws what the last attempt did. */
async function attemptOften<T>(
  { database }: WriterDeps,
  attempt: (connection: HeldConnection, isLast: boolean) => Promise<T>,
): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    using connection = await database.hold();
    try {
      return await attempt(connection, attempts > 1);
    } catch (error) {
      // Done again, it might be done twice.
      if (error instanceof OutcomeUnknown) throw error;
      // A connection may have been lost while nobody used it. Who got no answer has waited long enough.
      const isLost = isConnectionLost(error) && !isUnanswered(error);
      const mayRepeat = isOutrun(error) ? attempts < MAX_ATTEMPTS : isLost && attempts === 1;
      if (!mayRepeat) throw error;
    }
  }
}

/** Ends a transaction when `work` in it fails. One that fails at its end was sent a COMMIT, and has ended by that. */
async function takingBack<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConnectionLost(error)) await connection.run("ROLLBACK");
    throw error;
  }
}

/** Returns the errors of those jobs that failed alone. */
async function runTogether(
  deps: WriterDeps,
  connection: Connection,
  jobs: readonly Job[],
  isLast: boolean,
): Promise<Map<Job, unknown>> {
  const needs = jobs.map((job) => job.needs);
  const found = await takingBack(connection, () => begin(connection, needs, (clock) => timeOf(deps, clock), isLast));
  const tx = createTransaction(found, deps.tombstoneMs);
  const failures = new Map<Job, unknown>();
  for (const job of jobs) {
    const takeBack = tx.mark();
    try {
      if (isUnread(tx, job.needs)) throw new Postponed();
      job.run(tx);
    } catch (error) {
      takeBack();
      failures.set(job, error ?? new Error("a write was rejected without a reason"));
    }
  }
  await finish(deps, connection, tx, isLast);
  return failures;
}

/** True when a ciphertext that a job needs is stored and was not read. */
function isUnread(tx: StagedTransaction, { ciphertextIds = [], smallCiphertextIds = [] }: Needs): boolean {
  const isMissing = (id: string) => tx.staged.sealed.get(id)?.ciphertext === null;
  const isSmall = (id: string) => (tx.staged.secrets.get(id)?.ciphertextBytes ?? 0) < LARGE_CIPHERTEXT_BYTES;
  return ciphertextIds.some(isMissing) || smallCiphertextIds.some((id) => isSmall(id) && isMissing(id));
}

async function finish(deps: WriterDeps, connection: Connection, tx: StagedTransaction, isLast: boolean): Promise<void> {
  const { operator, origin, clock, onCommit } = deps;
  try {
    const committed = await commit(connection, tx, { operator, origin, isLast });
    clock.raise(committed.latestAt);
    onCommit(committed);
  } catch (error) {
    throw isConnectionLost(error) ? new OutcomeUnknown("the commit was not heard of", { cause: error }) : error;
  }
}

/** The time of a transaction: no earlier than what the database has seen. */
function timeOf({ clock, onClock }: WriterDeps, row: DriverRow | undefined): number {
  onClock(row);
  return clock.now();
}
