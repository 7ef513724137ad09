import { parentPort, workerData } from "node:worker_threads";
import { runLoad } from "./loads.ts";
import type { Load } from "./loads.ts";
import { createRequests } from "./requests.ts";

/** Readers during a load: their number, and the average pause of each. */
const READERS = 16;
const MEAN_PAUSE_MS = 50;

/** What to read, and for how long. */
export interface Reading {
  readonly port: number;
  readonly pid: number;
  readonly token: string;
  readonly secretIds: readonly string[];
  readonly seconds: number;
}

/** Reads the metadata of secrets, at times that don't depend on how long answers take. */
function read({ port, pid, token, secretIds, seconds }: Reading): Promise<Load> {
  const requests = createRequests(token, "");
  return runLoad({
    port,
    pid,
    connections: READERS,
    seconds,
    next: () => requests.read(secretIds[Math.floor(Math.random() * secretIds.length)] ?? ""),
    expectedStatus: 200,
    pauseMs: () => Math.random() * 2 * MEAN_PAUSE_MS,
  });
}

const load = await read(workerData);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
parentPort?.postMessage(load);
