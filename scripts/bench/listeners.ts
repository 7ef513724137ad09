import { join } from "node:path";
import { startExecutable } from "./executables.ts";
import type { ExecutableServer } from "./executables.ts";
import { benchFolder } from "./folders.ts";
import { runLoad } from "./loads.ts";
import type { Load } from "./loads.ts";
import { createRequests, sealCiphertext } from "./requests.ts";
import { median } from "./statistics.ts";
import { count, rowTable } from "./tables.ts";
import type { Row } from "./tables.ts";

// `bun scripts/bench/listeners.ts`: creates while 500 streams of the same team listen, against none. Takes about two
// minutes. `dist/handoff` has to be built.

const LISTENERS = 500;
const ROUNDS = 5;
/** As many callers as the load has, and the pause of each before a call in milliseconds. */
const LOADS = [
  { name: "64 callers", connections: 64, pauseMs: 0 },
  { name: "50 creates/s", connections: 10, pauseMs: 200 },
] as const;
const SECONDS = 3;
const SETTLE_MS = 4000;

await using cleanup = new AsyncDisposableStack();
const ciphertext = await sealCiphertext(1024);
const [heard, alone] = [await start(), await start()];
cleanup.use(await listen(heard, LISTENERS));
const rows: Row[] = [];
for (const { name, ...load } of LOADS) {
  const perSecond: number[] = [];
  const cpu: number[] = [];
  const [ours, theirs] = [[] as Load[], [] as Load[]];
  for (let round = 0; round < ROUNDS + 1; round++) {
    for (const [server, loads] of [
      [heard, ours],
      [alone, theirs],
    ] as const) {
      await Bun.sleep(SETTLE_MS);
      loads.push(await create(server, load));
    }
    const [one, other] = [ours.at(-1), theirs.at(-1)];
    // The first warms up.
    if (round === 0 || !one || !other) continue;
    perSecond.push(one.answers / one.seconds / (other.answers / other.seconds));
    cpu.push(one.cpuSeconds / one.answers / (other.cpuSeconds / other.answers));
  }
  const rate = (loads: readonly Load[]) => median(loads.slice(1).map(({ answers, seconds }) => answers / seconds));
  const cost = (loads: readonly Load[]) =>
    median(loads.slice(1).map(({ answers, cpuSeconds: s }) => s / answers)) * 1e6;
  rows.push(
    row(`${name}: creates/s beside ${LISTENERS} streams, against none`, rate(ours), rate(theirs), median(perSecond)),
    row(`${name}: processor time of each in µs, the streams included`, cost(ours), cost(theirs), median(cpu)),
  );
}
console.log(rowTable(rows));
await cleanup.disposeAsync();
await cleanup.disposeAsync();
process.exit(0);

async function start(): Promise<ExecutableServer> {
  const folder = cleanup.use(benchFolder());
  return cleanup.use(await startExecutable(join(folder.path, "data"), "--waiting-calls", "1000"));
}

function create(
  { port, pid, token }: ExecutableServer,
  { connections, pauseMs }: { readonly connections: number; readonly pauseMs: number },
): Promise<Load> {
  const { create: next } = createRequests(token, ciphertext);
  const load = { port, pid, connections, seconds: SECONDS, next, expectedStatus: 201 };
  return runLoad(pauseMs === 0 ? load : { ...load, pauseMs: () => pauseMs });
}

/** Opens streams in a process of their own, and reads them. */
async function listen({ port, token }: ExecutableServer, streams: number): Promise<AsyncDisposable> {
  const reader = Bun.spawn([process.execPath, join(import.meta.dir, "listen.ts"), String(port), String(streams)], {
    env: { ...process.env, BENCH_TOKEN: token },
    stdout: "pipe",
    stderr: "inherit",
  });
  // It says when all of them are open.
  await reader.stdout.getReader().read();
  return {
    async [Symbol.asyncDispose]() {
      reader.kill("SIGKILL");
      await reader.exited;
    },
  };
}

function row(measure: string, ours: number, theirs: number, ratio: number): Row {
  return { measure, value: count(ours), baseline: count(theirs), ratio: ratio.toFixed(2), aim: "" };
}
