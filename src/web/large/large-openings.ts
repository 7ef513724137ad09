import { ClientError } from "../../client/errors.ts";
import { createWorkerOf } from "../browser/workers.ts";
import { PAGE } from "../texts/page.ts";
import { isStillLocked } from "./large-jobs.ts";
import type { LargeFailure, LargeJob, LargeKey, LargeNews, LargeSource, StoredFile } from "./large-jobs.ts";
import { dropLeftFolders, holdFolder } from "./opened-files.ts";
import type { HeldFolder, Room } from "./opened-files.ts";

/** The files of a large secret that is open. */
export interface StoredContent {
  readonly files: readonly StoredFile[];
  /** Returns the file of a number, which is on the disk. */
  readonly fileAt: (index: number) => Promise<File>;
  /** Makes a ZIP of all of them, on the disk too. Rejects with ClientError when there is no room for it. */
  readonly zip: (onBytes: (bytes: number) => void) => Promise<File>;
  /** Removes all of them. */
  readonly drop: () => Promise<void>;
}

/** Called with what the worker says while it opens. */
interface OpeningWatch {
  readonly onReceived: (bytes: number) => void;
  readonly onRenewed: (askedAt: number) => void;
  readonly onRetry: (error: ClientError, pauseMs: number) => void;
}

/** What opens one large secret: a worker, and the folder that it writes to. */
export interface LargeOpener {
  /** Tries whether the browser can store `bytes`. Rejects with ClientError `stale_page`. */
  readonly check: (bytes: number) => Promise<Room>;
  /**
   * Downloads, decrypts and stores a claimed secret. Rejects with ClientError. When a passphrase is missing or wrong,
   * it goes on with another; after any other error nothing is left, and it starts over.
   */
  readonly open: (source: LargeSource, key: LargeKey, watch: OpeningWatch) => Promise<StoredContent>;
  /** Ends an opening, which then rejects with ClientError `interrupted`. */
  readonly stop: () => void;
  /** Removes what `check` has begun, when nothing is opened after all. */
  readonly end: () => Promise<void>;
}

export function createLargeOpener(): LargeOpener {
  let worker: Worker | undefined;
  let folder: HeldFolder | undefined;
  /** Also between two passphrases, while the worker renews the claim. */
  let onRenewed: OpeningWatch["onRenewed"] | undefined;
  const startOpening = () => {
    const started = startWorker();
    started.addEventListener("message", ({ data }: MessageEvent<LargeNews>) => {
      if (data.kind === "renewed") onRenewed?.(data.askedAt);
    });
    return started;
  };
  const ask = async (toJob: (held: string) => LargeJob, watch?: OpeningWatch): Promise<LargeNews> => {
    const held = (folder ??= await holdFolder());
    worker ??= startOpening();
    return askWorker(worker, toJob(held.name), watch);
  };
  const end = async () => {
    worker?.terminate();
    const held = folder;
    [worker, folder] = [undefined, undefined];
    await held?.drop();
  };
  return {
    async check(bytes) {
      try {
        await dropLeftFolders();
        const news = await ask((held) => ({ kind: "check", folder: held, bytes }));
        if (news.kind === "checked" && news.room === "enough") return "enough";
        await end();
        return news.kind === "checked" ? news.room : "unable";
      } catch (error) {
        await end();
        if (error instanceof ClientError) throw error;
        return "unable";
      }
    },
    async open(source, key, watch) {
      ({ onRenewed } = watch);
      try {
        const news = await ask((held) => ({ kind: "open", folder: held, source, key }), watch);
        if (news.kind !== "opened" || !folder) throw unexpectedNews();
        worker?.terminate();
        const content = toContent(folder, news.files);
        [worker, folder] = [undefined, undefined];
        return content;
      } catch (error) {
        if (!isStillLocked(error, key)) await end();
        throw error;
      }
    },
    stop: () => worker && give(worker, { kind: "stop" }),
    end,
  };
}

function toContent(folder: HeldFolder, files: readonly StoredFile[]): StoredContent {
  let zipper: Worker | undefined;
  return {
    files,
    fileAt: folder.fileAt,
    async zip(onBytes) {
      zipper ??= startWorker();
      const watch = { onReceived: onBytes, onRetry: () => undefined };
      await askWorker(zipper, { kind: "zip", folder: folder.name, files }, watch);
      return folder.fileAt("zip");
    },
    async drop() {
      zipper?.terminate();
      await folder.drop();
    },
  };
}

const startWorker = () => createWorkerOf("large-opening-worker");

function give(worker: Worker, job: LargeJob): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage(job);
}

/**
 * Gives the worker a job, and resolves with the news that end it. Rejects with ClientError: that of a job that failed,
 * or `stale_page` when the worker can't be loaded.
 */
async function askWorker(
  worker: Worker,
  job: LargeJob,
  watch: Omit<OpeningWatch, "onRenewed"> | undefined,
): Promise<LargeNews> {
  const { promise, resolve, reject } = Promise.withResolvers<LargeNews>();
  const over = new AbortController();
  const hear = ({ data }: MessageEvent<LargeNews>) => {
    switch (data.kind) {
      case "received":
        return watch?.onReceived(data.bytes);
      case "renewed":
        return undefined;
      case "retrying":
        return watch?.onRetry(toError(data.failure), data.pauseMs);
      case "failed":
        return reject(toError(data.failure));
      case "checked":
      case "opened":
      case "zipped":
        return resolve(data);
    }
  };
  const fail = () => reject(new ClientError("stale_page", "failure", PAGE.failed.stale));
  worker.addEventListener("message", hear, over);
  worker.addEventListener("error", fail, over);
  give(worker, job);
  try {
    return await promise;
  } finally {
    over.abort();
  }
}

function toError({ code, kind }: LargeFailure): ClientError {
  return new ClientError(code as ClientError["code"], kind, PAGE.failed.other);
}

const unexpectedNews = () => toError({ code: "internal", kind: "failure" });
