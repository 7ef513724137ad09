import { ClientError } from "../../client/errors.ts";
import { STRINGS } from "../strings.ts";
import type { CryptoJob, CryptoResult, CryptoValues } from "./crypto-jobs.ts";

/** The part of Trusted Types (W3C) that is needed here; TypeScript does not know it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): URL };
}
declare const trustedTypes: TrustedTypes | undefined;

const WORKER = new URL("./worker.js", import.meta.url).href;

/** Resolves once a worker can be started. Rejects with a ClientError `stale_page` when the server has no such worker any more. */
export async function startWorker(): Promise<void> {
  await inWorker({ kind: "ping" });
}

/** Has a worker do `job`. Rejects with a ClientError. */
export function inWorker<Job extends CryptoJob>(job: Job): Promise<CryptoValues[Job["kind"]]> {
  const worker = new Worker(workerUrl(), { type: "module" });
  return new Promise<CryptoValues[Job["kind"]]>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<CryptoResult<Job["kind"]>>) => {
      if (data.ok) resolve(data.value);
      else reject(toError(data.code));
    });
    worker.addEventListener("error", () => reject(new ClientError("stale_page", "failure", STRINGS.failed.stale)));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    worker.postMessage(job);
  }).finally(() => worker.terminate());
}

function toError(code: string): ClientError {
  switch (code) {
    case "decryption_failed":
    case "passphrase_missing":
    case "unsafe_archive":
      return new ClientError(code, "decryption", STRINGS.opened.undecryptable);
    default:
      return new ClientError("internal", "failure", STRINGS.failed.other);
  }
}

/** The address of the worker, vouched for where the browser wants that: the policy lets nothing else through. */
function workerUrl(): URL | string {
  if (typeof trustedTypes === "undefined") return WORKER;
  policy ??= trustedTypes.createPolicy("handoff-worker", {
    createScriptURL(url) {
      if (url !== WORKER) throw new TypeError("only our own worker may be started");
      return url;
    },
  });
  return policy.createScriptURL(WORKER);
}

let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;
