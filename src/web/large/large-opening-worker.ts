import { createHttpClient } from "../../client/http-client.ts";
import { piecesOf } from "../../client/large/large-contents.ts";
import { API_PREFIX, APP_PREFIX } from "../../contract/operations.ts";
import { UserError } from "../../contract/user-errors.ts";
import { reportUnforeseen } from "../browser/reports.ts";
import { zipStream } from "../contents/archives.ts";
import { holdDownload } from "./held-downloads.ts";
import type { HeldDownload } from "./held-downloads.ts";
import { isStillLocked } from "./large-jobs.ts";
import type { LargeFailure, LargeJob, LargeNews, LargeSource, StoredFile } from "./large-jobs.ts";
import { createFile, findRoom, getStoredFile } from "./opened-files.ts";
import { receiveContent, unlockLarge, writing } from "./received-contents.ts";

// The worker of a person who opens a large secret: it downloads, decrypts and stores at once, in constant memory.

/** Each piece that arrives would be too much news. */
const NEWS_MS = 100;

let download: HeldDownload | undefined;

function say(news: LargeNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  postMessage(news);
}

/** Returns a function that says how many of `total` bytes are here, now and then. */
function telling(total: number): (bytes: number) => void {
  let saidAt = 0;
  return (bytes) => {
    if (performance.now() - saidAt < NEWS_MS && bytes < total) return;
    saidAt = performance.now();
    say({ kind: "received", bytes });
  };
}

function startDownload(source: LargeSource): HeldDownload {
  const client = createHttpClient({
    baseUrl: source.baseUrl,
    prefix: source.claimToken === undefined ? APP_PREFIX : API_PREFIX,
    credential: source.claimToken,
    isOfLink: source.claimToken !== undefined,
    onRetry: (error, pauseMs) => say({ kind: "retrying", failure: toFailure(error), pauseMs }),
  });
  return holdDownload(client, source, {
    onReceived: telling(source.bytes),
    onRenewed: (askedAt) => say({ kind: "renewed", askedAt }),
  });
}

/** Stores a ZIP of stored files beside them. Rejects with ClientError when it can't be written, and leaves nothing. */
async function zip(folder: string, files: readonly StoredFile[]): Promise<void> {
  const tell = telling(Infinity);
  const zipped = files.map((file, index) => ({ ...file, open: () => getStoredFile(folder, index) }));
  const archive = await writing(createFile(folder, "zip"));
  let bytes = 0;
  try {
    for await (const piece of piecesOf(await zipStream(zipped))) {
      await writing(archive.write(piece));
      bytes += piece.length;
      tell(bytes);
    }
    await writing(archive.close());
  } catch (error) {
    await archive.close().catch(() => undefined);
    // The room is needed for the downloads of the files.
    await (await createFile(folder, "zip")).close();
    throw error;
  }
}

async function run(job: LargeJob): Promise<void> {
  switch (job.kind) {
    case "check":
      // What downloads needs it, and Safari before 17.4 lacks it.
      return say({ kind: "checked", room: "any" in AbortSignal ? await findRoom(job.folder, job.bytes) : "unable" });
    case "open": {
      download ??= startDownload(job.source);
      const plaintext = await unlockLarge(await download.header, job.key);
      download.goOn();
      const files = await receiveContent(plaintext, (index) => createFile(job.folder, index));
      stop();
      return say({ kind: "opened", files });
    }
    case "zip":
      await zip(job.folder, job.files);
      return say({ kind: "zipped" });
    case "stop":
      return stop();
  }
}

function stop(): void {
  download?.stop();
  download = undefined;
}

/** The failure for the page. The trace of an unforeseen one is logged to the console. */
function toFailure(error: unknown): LargeFailure {
  if (error instanceof UserError) return { code: error.code, kind: error.kind };
  reportUnforeseen("opening a large secret", error);
  return { code: "internal", kind: "failure" };
}

addEventListener("message", ({ data }: MessageEvent<LargeJob>) => {
  run(data).catch((error: unknown) => {
    // Another passphrase is tried with the same header.
    if (data.kind !== "open" || !isStillLocked(error, data.key)) stop();
    say({ kind: "failed", failure: toFailure(error) });
  });
});
