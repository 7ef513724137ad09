import { ClientError } from "../../client/errors.ts";
import { PAGE } from "../texts/page.ts";
import { ARCHIVES } from "./crypto-jobs.ts";
import type { CryptoJob, CryptoResult, CryptoValues } from "./crypto-jobs.ts";
import { currentPlace } from "./places.ts";
import type { Place } from "./places.ts";

/** The part of Trusted Types (W3C) used here, which TypeScript does not declare yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL };
}
declare const trustedTypes: TrustedTypes | undefined;

type WorkerName = "worker" | "opening-worker" | "submitting-worker" | "large-opening-worker" | "large-sending-worker";

/** Who opens a link or hands something in gets a worker that can do no more than that. */
const SCRIPTS: Partial<Record<Place["kind"], WorkerName>> = { secret: "opening-worker", request: "submitting-worker" };

/** A worker without a job. Its script may still be loading. */
let spare: Worker | undefined;
let name = "";

/**
 * Starts a worker for the next job, so that its script loads while the person reads or types; with what reads archives
 * if `hasFiles`. Ignores failures: the job itself tries again.
 */
export function prepareWorker(hasFiles = false): void {
  if (hasFiles) name = ARCHIVES;
  if (spare) return;
  const worker = createWorker();
  spare = worker;
  worker.addEventListener("error", () => {
    if (spare === worker) spare = undefined;
  });
}

/**
 * Resolves once a worker waits for the next job. Rejects with a ClientError `stale_page` when the server no longer has
 * the worker's script.
 */
export async function startWorker(): Promise<void> {
  const worker = takeWorker();
  try {
    await ask(worker, { kind: "ping" });
  } catch (error) {
    worker.terminate();
    throw error;
  }
  spare = worker;
}

/**
 * Runs `job` in a worker, which then ends. Rejects with a ClientError, or with an AbortError when `signal` is aborted.
 */
export async function inWorker<Job extends CryptoJob>(
  job: Job,
  signal?: AbortSignal,
): Promise<CryptoValues[Job["kind"]]> {
  signal?.throwIfAborted();
  const worker = takeWorker();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    return await (signal ? Promise.race([ask(worker, job), aborted.promise]) : ask(worker, job));
  } finally {
    signal?.removeEventListener("abort", abort);
    worker.terminate();
  }
}

/** Takes the spare worker, or starts a new one. */
function takeWorker(): Worker {
  const worker = spare ?? createWorker();
  spare = undefined;
  return worker;
}

function createWorker(): Worker {
  return createWorkerOf(SCRIPTS[currentPlace().kind] ?? "worker", name);
}

/** Starts the worker of this script. Its `error` event says that the script can't be loaded. */
export function createWorkerOf(script: WorkerName, workerName = ""): Worker {
  return new Worker(workerUrl(script), { type: "module", name: workerName });
}

function ask<Job extends CryptoJob>(worker: Worker, job: Job): Promise<CryptoValues[Job["kind"]]> {
  return new Promise((resolve, reject) => {
    const options = { once: true } as const;
    worker.addEventListener(
      "message",
      ({ data }: MessageEvent<CryptoResult<Job["kind"]>>) => {
        if (data.ok) resolve(data.value);
        else reject(toError(data.code));
      },
      options,
    );
    worker.addEventListener(
      "error",
      () => reject(new ClientError("stale_page", "failure", PAGE.failed.stale)),
      options,
    );
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    worker.postMessage(job);
  });
}

function toError(code: string): ClientError {
  switch (code) {
    case "decryption_failed":
    case "passphrase_missing":
    case "version_unknown":
    case "settings_refused":
    case "encrypted_otherwise":
    case "unsafe_archive":
      return new ClientError(code, "decryption", PAGE.failed.other);
    case "stale_page":
      return new ClientError(code, "failure", PAGE.failed.stale);
    default:
      return new ClientError("internal", "failure", PAGE.failed.other);
  }
}

/** The address of a worker's script, as a trusted value where the browser requires one. */
function workerUrl(script: WorkerName): URL | string {
  const urlOf = (worker: string) => new URL(`./${worker}.js`, import.meta.url).href;
  if (typeof trustedTypes === "undefined") return urlOf(script);
  policy ??= trustedTypes.createPolicy("handoff-worker", {
    createScriptURL(worker) {
      // Only our own may be started.
      if (!/^[a-z-]*worker$/.test(worker)) throw new TypeError();
      return urlOf(worker);
    },
  });
  return policy.createScriptURL(script);
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;
