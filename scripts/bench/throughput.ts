import { benchFolder } from "./folders.ts";
import { runLoad } from "./loads.ts";
import { cpuSeconds } from "./processes.ts";
import { createRequests } from "./requests.ts";
import { CONNECTIONS, latency, measureRounds, medianRatio } from "./rounds.ts";
import type { Measured, Subject } from "./rounds.ts";
import { startVariant, VARIANTS } from "./servers.ts";
import type { Variant } from "./servers.ts";
import { median } from "./statistics.ts";
import { aim, count, milliseconds } from "./tables.ts";
import type { Row } from "./tables.ts";

const ROUNDS = 3;
const ROUND_SECONDS = 2;

/** Creates and claims of the app as it is against its ceiling and against a transaction for every request. */
export async function measureThroughput(ciphertext: string): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack();
  const subjects: Subject[] = [];
  for (const variant of VARIANTS) {
    const folder = cleanup.use(benchFolder());
    const server = cleanup.use(await startVariant(variant, folder.path));
    const requests = createRequests(server.token, ciphertext);
    subjects.push({ name: variant, port: server.port, requests, claimable: [] });
  }
  const results = await measureRounds(subjects, { rounds: ROUNDS, seconds: ROUND_SECONDS });
  const resultOf = (variant: Variant) => {
    const result = results.get(variant);
    if (!result) throw new Error(`nothing was measured of '${variant}'`);
    return result;
  };
  const [app, ceiling, single] = [resultOf("group commit"), resultOf("no database"), resultOf("one per request")];
  return [
    rateRow("creates/s, against no database", app.creates, ceiling.creates, 0.5),
    rateRow("creates/s, against one transaction per request", app.creates, single.creates, 4),
    rateRow("claims/s, against no database", app.claims, ceiling.claims),
    rateRow("claims/s, against one transaction per request", app.claims, single.claims),
    latencyRow("create p50, against one per request", app.creates, single.creates, 0.5),
    latencyRow("create p99, against one per request", app.creates, single.creates, 0.99, 50),
    latencyRow("claim p50, against one per request", app.claims, single.claims, 0.5),
    latencyRow("claim p99, against one per request", app.claims, single.claims, 0.99, 50),
  ];
}

/** What the load generator itself can do, against a server that does nothing. */
export async function measureGenerator(ciphertext: string): Promise<Row> {
  await using server = await startVariant("nothing", "-");
  const { create } = createRequests(server.token, ciphertext);
  const load = () =>
    runLoad({ port: server.port, connections: CONNECTIONS, seconds: 1, next: create, expectedStatus: 201 });
  await load();
  const before = cpuSeconds(process.pid);
  const { answers, seconds } = await load();
  const share = (cpuSeconds(process.pid) - before) / seconds;
  const baseline = `${Math.round(share * 100)} % of a core`;
  return {
    measure: "load generator, creates/s of a server that does nothing",
    value: count(answers / seconds),
    baseline,
    ratio: "",
    aim: "",
  };
}

/** A row of rates; the ratio is the median over the rounds, and should be `least` or more. */
export function rateRow(measure: string, value: Measured, baseline: Measured, least?: number): Row {
  const ratio = medianRatio(value, baseline);
  return {
    measure,
    value: count(median(value.perSecond)),
    baseline: count(median(baseline.perSecond)),
    ratio: ratio.toFixed(2),
    aim: least === undefined ? "" : aim(`≥ ${least}`, ratio >= least),
  };
}

function latencyRow(measure: string, value: Measured, baseline: Measured, fraction: number, mostMs?: number): Row {
  const [mine, other] = [latency(value, fraction), latency(baseline, fraction)];
  return {
    measure,
    value: milliseconds(mine),
    baseline: milliseconds(other),
    ratio: (mine / other).toFixed(2),
    aim: mostMs === undefined ? "" : aim(`< ${mostMs} ms`, mine < mostMs),
  };
}
