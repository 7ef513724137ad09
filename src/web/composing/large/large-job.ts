import { ClientError } from "../../../client/errors.ts";
import type { SentSecret } from "../../../client/stored-secrets.ts";
import type { SubmittedSecret } from "../../../contract/requests.ts";
import { createWorkerOf } from "../../browser/workers.ts";
import type { ChosenFile } from "../../contents/dropped-files.ts";
import { sessionFetch } from "../../service/clients.ts";
import { PAGE } from "../../texts/page.ts";
import type { Deliverer } from "../deliveries.ts";
import { describeUnreadable } from "../drafts.ts";
import type {
  ForRequest,
  LargeFailure,
  LargeFile,
  LargeNews,
  LargeOrder,
  NewSecret,
  PageMessage,
  WorkerMessage,
} from "./messages.ts";

/** A large secret on its way. */
export interface LargeJob<Sent> {
  /** Rejects with ClientError; `interrupted` once it is stopped, and the upload has ended if the server was there. */
  readonly sent: Promise<Sent>;
  /** Calls `listener` with all news from now on. Returns a function that stops it. */
  readonly watch: (listener: (news: LargeNews) => void) => () => void;
  /** True once the server has all of it. */
  readonly isWhole: () => boolean;
  /** Ends a pause between two attempts. */
  readonly wake: () => void;
  /** Ends the upload. */
  readonly stop: () => void;
}

/** Starts a worker that sends a large secret, until `signal` is aborted. */
export function startLargeJob(
  order: LargeOrder & { readonly to: NewSecret },
  signal: AbortSignal,
): LargeJob<SentSecret>;
/** Starts a worker that hands one in. */
export function startLargeJob(
  order: LargeOrder & { readonly to: ForRequest },
  signal: AbortSignal,
): LargeJob<SubmittedSecret>;
export function startLargeJob(order: LargeOrder, signal: AbortSignal): LargeJob<unknown> {
  const worker = createWorkerOf("large-sending-worker");
  const listeners = new Set<(news: LargeNews) => void>();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  const say = (message: PageMessage) => worker.postMessage(message);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => {
    if (data.kind === "sent") resolve(data.sent);
    else if (data.kind === "failed") reject(toError(data));
    else {
      if (data.kind === "progress") isWhole = data.stored === data.total;
      if (data.kind === "begun") url = data.url;
      for (const listener of listeners) listener(data);
    }
  });
  worker.addEventListener("error", () => reject(new ClientError("stale_page", "failure", PAGE.failed.stale)));
  let isWhole = false;
  let url: string | undefined;
  const over = new AbortController();
  const wake = () => say({ kind: "wake" });
  // A line that is back, or a tab that is looked at again, needs no longer pause.
  addEventListener("online", wake, { signal: over.signal });
  document.addEventListener("visibilitychange", wake, { signal: over.signal });
  // The worker ends with its page, so nobody would end the upload, and give back its room.
  const leave = ({ persisted }: PageTransitionEvent) => {
    if (persisted || url === undefined) return;
    const { to } = order;
    const tus = { "tus-resumable": "1.0.0" };
    const call =
      to.kind === "secret"
        ? sessionFetch(url, { method: "DELETE", headers: tus, keepalive: true })
        : fetch(url, {
            method: "DELETE",
            headers: { ...tus, authorization: `Bearer ${to.submitToken}` },
            keepalive: true,
          });
    void call.catch(() => undefined);
  };
  addEventListener("pagehide", leave, { signal: over.signal });
  const stop = () => say({ kind: "stop" });
  signal.addEventListener("abort", stop, { signal: over.signal });
  say({ kind: "send", order });
  const sent = promise.finally(() => {
    over.abort();
    worker.terminate();
  });
  return {
    sent,
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isWhole: () => isWhole,
    wake,
    stop,
  };
}

/** Tells a delivery how far a job is. Once all of it is stored, the server may make something of it. */
export function followJob(job: LargeJob<unknown>, { signal, beginSending, onUpload }: Deliverer): void {
  let hasBegun = false;
  job.watch((news) => {
    if (news.kind !== "progress" || signal.aborted) return;
    if (!hasBegun) beginSending();
    hasBegun = true;
    onUpload(news.stored, news.total);
  });
}

/** Files for a worker: a slice is read only when its turn comes, and can go there under any name. */
export function toLargeFiles(files: readonly ChosenFile[]): LargeFile[] {
  return files.map((file) => ({ name: file.name, blob: file.slice(0, file.size) }));
}

function toError({ code, errorKind, file }: LargeFailure): ClientError {
  return new ClientError(code, errorKind, file === undefined ? PAGE.failed.other : describeUnreadable(file));
}
