import { startExecutable } from "./executables.ts";
import type { ExecutableServer } from "./executables.ts";
import { benchFolder } from "./folders.ts";
import { resetPeak, residentBytes } from "./processes.ts";
import { createRequests, sealCiphertext } from "./requests.ts";
import { createMany } from "./rounds.ts";
import { aim, count, megabytes } from "./tables.ts";
import type { Row } from "./tables.ts";

const CREATES = 100_000;
/** An idle process returns unused memory after a while. */
const REST_MS = 5000;
const LARGE_BYTES = 10 * 1024 * 1024;

/** Resident memory of the compiled executable after many creates: at once, and once it is idle. */
export async function measureMemory(ciphertext: string): Promise<Row[]> {
  using folder = benchFolder();
  await using server = await startExecutable(folder.path);
  await Bun.sleep(REST_MS);
  const fresh = residentBytes(server.pid).now;
  await createSmall(server, ciphertext, CREATES);
  const atOnce = residentBytes(server.pid).now;
  await Bun.sleep(REST_MS);
  const rested = residentBytes(server.pid).now;
  const row = (when: string, bytes: number, verdict: string): Row => ({
    measure: `resident memory ${when} ${count(CREATES)} creates, against before`,
    value: megabytes(bytes),
    baseline: megabytes(fresh),
    ratio: (bytes / fresh).toFixed(2),
    aim: verdict,
  });
  return [
    {
      measure: `resident memory ${REST_MS / 1000} seconds after a start`,
      value: megabytes(fresh),
      baseline: "",
      ratio: "",
      aim: aim("≤ 70 MB", fresh <= 70e6),
    },
    row("at the end of", atOnce, ""),
    row(`${REST_MS / 1000} seconds after`, rested, aim("≤ 95 MB", rested <= 95e6)),
  ];
}

/** Measures the compiled executable's peak memory when it receives the largest secret. */
export async function measureLargeCreate(ciphertext: string): Promise<Row> {
  using folder = benchFolder();
  await using server = await startExecutable(folder.path);
  await createSmall(server, ciphertext, 1000);
  const body = JSON.stringify({ envelope: { version: 1, ciphertext: await sealCiphertext(LARGE_BYTES) } });
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const before = residentBytes(server.pid).now;
  resetPeak(server.pid);
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/secrets`, { method: "POST", headers, body });
  if (answer.status !== 201) throw new Error(`the large create was answered with ${answer.status}`);
  const growth = residentBytes(server.pid).peak - before;
  return {
    measure: "growth of memory at its peak, create of 10 MiB",
    value: megabytes(growth),
    baseline: megabytes(LARGE_BYTES),
    ratio: (growth / LARGE_BYTES).toFixed(2),
    aim: aim("≤ 4", growth <= 4 * LARGE_BYTES),
  };
}

async function createSmall(server: ExecutableServer, ciphertext: string, creates: number): Promise<void> {
  const requests = createRequests(server.token, ciphertext);
  await createMany({ name: "small", servers: [server], requests, claimable: [] }, creates);
}
