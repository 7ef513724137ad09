import { pause } from "../../../client/deadlines.ts";
import { createHttpClient } from "../../../client/http-client.ts";
import type { Fetch, HttpClient } from "../../../client/http-client.ts";
import { sendLargeSecret, toLargeContent, toLargeFiles } from "../../../client/large/sends.ts";
import type { LargeContent } from "../../../client/large/sends.ts";
import { submitLargeSecret } from "../../../client/large/submissions.ts";
import type { Proving } from "../../../client/large/uploads.ts";
import { API_PREFIX, APP_PREFIX } from "../../../contract/operations.ts";
import { UserError } from "../../../contract/user-errors.ts";
import { reportUnforeseen } from "../../browser/reports.ts";
import { createUploadFetch } from "../../browser/uploads.ts";
import { readPieces, UnreadableFileError } from "./file-pieces.ts";
import type { LargeFile, LargeOrder, PageMessage, WorkerMessage } from "./messages.ts";

// The worker that sends a large secret: it encrypts what it reads, and uploads it with the session of the page.

/** An upload that nobody goes on with ends after a day. Until then a person decides when it is enough. */
const PERSEVERANCE_MS = 24 * 60 * 60_000;

const stopping = new AbortController();
let waking = new AbortController();

addEventListener("message", ({ data }: MessageEvent<PageMessage>) => {
  if (data.kind === "stop") stopping.abort();
  else if (data.kind === "wake") waking.abort();
  else void send(data.order).then(post, (error: unknown) => post(toFailure(error)));
});

async function send({ to, ...order }: LargeOrder): Promise<WorkerMessage> {
  const progress = createProgress();
  const client = createClient(order.baseUrl, to, progress.onPart);
  const source = {
    content: await toContent(order),
    keep: () => Promise.reject(new Error("its length is known")),
    onProgress: (_direction: "up" | "down", bytes: number, total = bytes) => progress.onStored(bytes, total),
  };
  if (to.kind === "secret") {
    const { link, secret } = await sendLargeSecret(client, { ...to.terms, ...source, passphrase: to.passphrase });
    return { kind: "sent", sent: { link, secret } };
  }
  const { requestId, recipient, proofToken } = to;
  const proving: Proving = (use) => use(proofToken);
  return { kind: "sent", sent: await submitLargeSecret(client, { ...source, requestId, recipient, proving }) };
}

/** A client whose attempts, setbacks and answers the page learns of. */
function createClient(baseUrl: string, to: LargeOrder["to"], onPart: (bytes: number) => void): HttpClient {
  const upload = createUploadFetch(onPart);
  let hasBegun = false;
  const fetch: Fetch = async (url, init) => {
    if (!hasBegun && init?.method === "PATCH") post({ kind: "begun", url });
    hasBegun ||= init?.method === "PATCH";
    const answer = await (init?.body instanceof Uint8Array ? upload(url, init) : globalThis.fetch(url, init));
    if (answer.status < 500) post({ kind: "answered" });
    return answer;
  };
  return createHttpClient({
    baseUrl,
    ...(to.kind === "secret"
      ? { prefix: APP_PREFIX, credential: undefined }
      : { prefix: API_PREFIX, credential: to.submitToken, isOfLink: true }),
    signal: stopping.signal,
    fetch,
    perseveranceMs: PERSEVERANCE_MS,
    onRetry: ({ code }) => post({ kind: "setback", code }),
    sleep(milliseconds, signal) {
      waking = new AbortController();
      return pause(milliseconds, signal ? AbortSignal.any([signal, waking.signal]) : waking.signal);
    },
  });
}

/** Tells the page how far it is: what is stored, and what of the next piece has left. */
function createProgress() {
  let stored = 0;
  let total = 0;
  const tell = (part: number) => {
    if (total > 0) post({ kind: "progress", sent: Math.min(total, stored + part), stored, total });
  };
  return {
    onStored(bytes: number, all: number) {
      [stored, total] = [bytes, all];
      tell(0);
    },
    onPart: tell,
  };
}

async function toContent({ text, files }: Pick<LargeOrder, "text" | "files">): Promise<LargeContent> {
  const content = files.length === 0 ? await toLargeContent({ kind: "text", text }) : undefined;
  return content ?? toLargeFiles(files.map(toReadable), text);
}

function toReadable(file: LargeFile) {
  const { name, blob } = file;
  return { name, size: blob.size, isExecutable: false, isFolder: false, read: () => readPieces(file) };
}

function toFailure(error: unknown): WorkerMessage {
  if (error instanceof UserError) {
    const file = error instanceof UnreadableFileError ? error.file : undefined;
    return { kind: "failed", code: error.code as "internal", errorKind: error.kind, file };
  }
  reportUnforeseen("sending a large secret", error);
  return { kind: "failed", code: "internal", errorKind: "failure", file: undefined };
}

function post(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  postMessage(message);
}
