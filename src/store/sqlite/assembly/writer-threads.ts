import type { EventRecord } from "../../../domain/ports/events.ts";
import type { StorageTrouble } from "../../../domain/ports/health.ts";
import { outcomeUnknown, storageUnavailable } from "../../../domain/storage-refusals.ts";
import type { OperationTable, Run } from "../../../domain/transactions/operations.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import type { BackgroundReport } from "../engine/background-failures.ts";
import type { CommitReport } from "../engine/known-keys.ts";
import type { Operations } from "../engine/operations.ts";
import { DISK_STALLED } from "../engine/troubles.ts";
import { UNKNOWN_MEASURES } from "../files/storage-sizes.ts";
import type { WriterMeasures } from "../files/storage-sizes.ts";
import { toError } from "./errors.ts";
import type { Answers, Call, Calls, FromThread, ToThread } from "./messages.ts";
import type { StoreSettings } from "./options.ts";
import { pack, unpack } from "./packing.ts";

/** The writer's thread, as the main thread sees it. */
export interface WriterThread {
  readonly operations: Operations;
  /** Resolves with the writer's troubles, the worst first; rejects once the thread has ended. */
  findTroubles(): Promise<readonly StorageTrouble[]>;
  /** Resolves with the figures of the writer; all undefined when it has ended, or waits for the disk. */
  measure(): Promise<WriterMeasures>;
  /** Waits for pending calls, and until the thread has closed the database. Later calls are refused. */
  close(): Promise<void>;
}

export interface WriterThreadDeps {
  readonly settings: StoreSettings;
  /** Gives the thread the time, and is raised to the latest time that the database has seen. */
  readonly clock: MonotonicClock;
  /** True when creations must be refused, because nothing can be read. */
  readonly isFailing: () => boolean;
  /** Called before the callers of the commits are answered. */
  readonly onCommits: (report: CommitReport) => void;
  readonly onEvent: (event: EventRecord) => void;
  readonly onFailure: BackgroundReport;
  /** Called when the database's files are no longer its own; with true when reads still find what was written. */
  readonly onAbandon: (isReadable: boolean) => void;
  /** Called when the thread has ended, or couldn't open the database: nothing can be written any more. */
  readonly onEnd: (error: Error) => void;
  /** Starts the thread; tests replace it to reuse threads. */
  readonly startThread?: (() => Worker) | undefined;
}

interface Waiting {
  /** The number of ticks at which it began. */
  readonly since: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that doesn't answer within this time is waiting for the disk. */
const STALLED_MS = 2000;

/** How long a call may wait for the disk by default before it is given up. */
const PATIENCE_MS = 10_000;
/**
 * That time in ticks. A process that was suspended misses only one of them, so that the thread still has time to
 * answer.
 */
const PATIENCE_TICKS = 10;

/** The path of the thread's program in the executable, which contains two programs. */
const EMBEDDED = "./store/sqlite/assembly/writer-thread.ts";

function startOwnThread(): Worker {
  const isExecutable = Bun.main.startsWith("/$bunfs/");
  return new Worker(isExecutable ? EMBEDDED : new URL("./writer-thread.ts", import.meta.url).href);
}

/** Starts the thread and has it open the database. Its calls wait until that is done. */
export function startWriterThread(deps: WriterThreadDeps): WriterThread {
  const { clock, isFailing, onEnd, startThread = startOwnThread } = deps;
  const worker = startThread();
  const waiting = new Map<number, Waiting>();
  const closing = Promise.withResolvers<void>();
  let calls: Call[] = [];
  let abandoned: number[] = [];
  let lastId = 0;
  let ticks = 0;
  let isScheduled = false;
  let isClosing = false;
  let isAbandoned = false;
  let end: Error | undefined;
  let troubles: Promise<readonly StorageTrouble[]> | undefined;

  const tell = (message: ToThread, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);

  const send = () => {
    isScheduled = false;
    const { packed, moved } = pack({ now: clock.now(), calls, abandoned } satisfies Calls);
    tell(packed, moved);
    calls = [];
    abandoned = [];
  };
  const sendSoon = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(send);
  };

  const call = (name: string, input?: unknown): { readonly id: number; readonly promise: Promise<unknown> } => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    lastId += 1;
    waiting.set(lastId, { since: ticks, resolve, reject });
    calls.push({ id: lastId, name, input });
    sendSoon();
    return { id: lastId, promise };
  };

  /** Asks the thread; resolves with `otherwise` when it doesn't answer in time. */
  const ask = async <T>(name: "findTroubles" | "measure", otherwise: T): Promise<T> => {
    const { promise: stalled, resolve } = Promise.withResolvers<T>();
    const timer = setTimeout(() => resolve(otherwise), STALLED_MS);
    try {
      return await Promise.race([call(name).promise as Promise<T>, stalled]);
    } finally {
      clearTimeout(timer);
    }
  };

  const abandon = (id: number) => {
    if (!waiting.has(id)) return;
    abandoned.push(id);
    sendSoon();
  };

  /** Gives up calls that have waited for too long. Their outcome is unknown; the thread drops those not yet begun. */
  const giveUp = () => {
    ticks += 1;
    for (const [id, { since, reject }] of waiting) {
      if (ticks - since < PATIENCE_TICKS) break;
      waiting.delete(id);
      abandoned.push(id);
      reject(outcomeUnknown(new Error("the disk has kept a call waiting for too long")));
    }
    if (abandoned.length > 0) sendSoon();
  };
  const ticking = setInterval(giveUp, (deps.settings.answerPatienceMs ?? PATIENCE_MS) / PATIENCE_TICKS);
  ticking.unref();

  const run = (name: string, input: unknown, signal?: AbortSignal): Promise<unknown> => {
    if (end || isClosing) return Promise.reject(storageUnavailable(end));
    if (signal?.aborted) return Promise.resolve("abandoned");
    const { id, promise } = call(name, input);
    if (!signal) return promise;
    // Never removed: that would cost a claim more than it saves.
    signal.addEventListener("abort", () => abandon(id), { once: true });
    return promise;
  };

  const takeAnswers = ({ now, commits, events, answers }: Answers) => {
    clock.raise(now);
    if (commits) deps.onCommits(commits);
    for (const event of events) deps.onEvent(event);
    for (const answer of answers) {
      const waiter = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("error" in answer) waiter?.reject(toError(answer.error));
      else waiter?.resolve(answer.value);
    }
  };

  const finish = (error: Error) => {
    if (end) return;
    end = error;
    clearInterval(ticking);
    for (const { reject } of waiting.values()) reject(outcomeUnknown(error));
    waiting.clear();
    if (!isClosing) onEnd(error);
    closing.resolve();
  };

  const receive = (message: FromThread): void => {
    if (typeof message === "string") return takeAnswers(unpack(message) as Answers);
    switch (message.kind) {
      case "packed":
        return takeAnswers(unpack(message) as Answers);
      case "failure":
        return deps.onFailure(message.work, toError(message.error));
      case "abandoned":
        isAbandoned = true;
        return deps.onAbandon(message.isReadable);
      case "not_opened":
        return finish(toError(message.error));
      case "closed":
        clearInterval(ticking);
        closing.resolve();
        // The end of a thread closes its databases.
        return isAbandoned ? undefined : worker.terminate();
    }
  };
  worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => receive(data));
  worker.addEventListener("error", ({ message }) => finish(new Error(message)));
  worker.addEventListener("close", () => finish(new Error("the thread of the writer has ended")));
  tell({ kind: "open", settings: deps.settings, now: clock.now() });

  return {
    operations: {
      add<Table extends OperationTable>(table: Table) {
        const perform = (name: string, input: unknown, signal?: AbortSignal) =>
          table[name]?.kind === "creation" && isFailing()
            ? Promise.reject(storageUnavailable())
            : run(name, input, signal);
        return perform as Run<Table>;
      },
    },
    async findTroubles() {
      if (end) throw storageUnavailable(end);
      // One question for all callers while the thread waits for the disk.
      troubles ??= ask<readonly StorageTrouble[]>("findTroubles", [DISK_STALLED]).finally(() => (troubles = undefined));
      return troubles;
    },
    measure: async () => (end ? UNKNOWN_MEASURES : ask<WriterMeasures>("measure", UNKNOWN_MEASURES)),
    close() {
      if (!isClosing) {
        isClosing = true;
        if (isScheduled) send();
        tell({ kind: "close" });
      }
      return closing.promise;
    },
  };
}
