import { benchFolder } from "./folders.ts";
import { cpuSeconds } from "./processes.ts";
import { createRequests, sealCiphertext } from "./requests.ts";
import { claim, createMany } from "./rounds.ts";
import { startVariant } from "./servers.ts";
import type { BenchServer } from "./servers.ts";
import { median } from "./statistics.ts";
import { aim, microseconds } from "./tables.ts";
import type { Row } from "./tables.ts";

const LARGE_BYTES = 1024 * 1024;
const ROUNDS = 3;
const SMALL_CALLS = 6000;
const LARGE_CALLS = 80;
/** A server compiles while it works; that isn't measured. */
const WARM_UP_ROUNDS = 1;
const LARGE_CALLERS = 4;
/** Claimed secrets are emptied out of the WAL a second later; the next measurement shouldn't pay for that. */
const SETTLE_MS = 1500;

/** The processor time of the server for each create and each claim, in microseconds. */
interface Costs {
  readonly create: number;
  readonly claim: number;
}

/** Compares the processor time that calls with 1 MiB of ciphertext take with that of calls with `ciphertext`. */
export async function measureLargeCalls(ciphertext: string): Promise<Row[]> {
  using folder = benchFolder();
  await using server = await startVariant("group commit", folder.path);
  const large = await sealCiphertext(LARGE_BYTES);
  const [smallCosts, largeCosts]: [Costs[], Costs[]] = [[], []];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    smallCosts.push(await costOfSmall(server, ciphertext));
    largeCosts.push(await costOfLarge(server, large));
  }
  const row = (call: keyof Costs, most: number): Row => {
    const [values, baselines] = [largeCosts, smallCosts].map((costs) =>
      costs.slice(WARM_UP_ROUNDS).map((each) => each[call]),
    );
    const ratio = median((values ?? []).map((value, round) => value / (baselines?.[round] ?? Number.NaN)));
    return {
      measure: `processor time of a ${call} of 1 MiB, against 1 KiB`,
      value: microseconds(median(values ?? [])),
      baseline: microseconds(median(baselines ?? [])),
      ratio: ratio.toFixed(1),
      aim: aim(`≤ ${most}`, ratio <= most),
    };
  };
  return [row("create", 35), row("claim", 25)];
}

async function costOfSmall(server: BenchServer, ciphertext: string): Promise<Costs> {
  const requests = createRequests(server.token, ciphertext);
  const subject = { name: "small", servers: [server], requests, claimable: [] };
  return {
    create: await costOf(server.pid, SMALL_CALLS, () => createMany(subject, SMALL_CALLS)),
    claim: await costOf(server.pid, SMALL_CALLS, () => claim(subject, Infinity)),
  };
}

async function costOfLarge({ port, pid, token }: BenchServer, ciphertext: string): Promise<Costs> {
  const url = `http://127.0.0.1:${port}/api/v1/secrets`;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ envelope: { version: 1, ciphertext } });
  const ids: string[] = [];
  const post = async (target: string, options: RequestInit, expectedStatus: number): Promise<string> => {
    const answer = await fetch(target, { method: "POST", ...options });
    if (answer.status !== expectedStatus) throw new Error(`a large call was answered with ${answer.status}`);
    return answer.text();
  };
  return {
    create: await costOf(pid, LARGE_CALLS, () =>
      spread(LARGE_CALLS, async () => {
        const created = JSON.parse(await post(url, { headers, body }, 201)) as { id: string };
        ids.push(created.id);
      }),
    ),
    claim: await costOf(pid, LARGE_CALLS, () =>
      spread(LARGE_CALLS, async () => {
        await post(`${url}/${ids.pop()}/claim`, { headers: { authorization: headers.authorization } }, 200);
      }),
    ),
  };
}

/** The processor time of the process `pid` for each of the `calls` that `work` makes, once it is idle. */
async function costOf(pid: number, calls: number, work: () => Promise<unknown>): Promise<number> {
  await Bun.sleep(SETTLE_MS);
  const before = cpuSeconds(pid);
  await work();
  return ((cpuSeconds(pid) - before) / calls) * 1e6;
}

/** Runs `call` so many times, by several callers at a time. */
async function spread(calls: number, call: () => Promise<void>): Promise<void> {
  let left = calls;
  const caller = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: LARGE_CALLERS }, caller));
}
