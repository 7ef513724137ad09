import { benchFolder } from "./folders.ts";
import { runLoad } from "./loads.ts";
import { createRequests } from "./requests.ts";
import { CONNECTIONS, measureRounds, shuffle } from "./rounds.ts";
import type { Subject } from "./rounds.ts";
import { cpuRow, latencyRow, rateRow } from "./rows.ts";
import { startVariant } from "./servers.ts";
import { count, percent } from "./tables.ts";
import type { Row } from "./tables.ts";

const COMPARED = ["group commit", "no database", "one per request", "plain route"] as const;
const IN_RANDOM_ORDER = "in random order";
const ROUNDS = 3;
const ROUND_SECONDS = 2;

/** Creates and claims of the app as it is against its ceiling and against a transaction for every request. */
export async function measureThroughput(ciphertext: string): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack();
  const subjects: Subject[] = [];
  for (const variant of COMPARED) {
    const folder = cleanup.use(benchFolder());
    const server = cleanup.use(await startVariant(variant, folder.path));
    const requests = createRequests(server.token, ciphertext);
    subjects.push({ name: variant, servers: [server], requests, claimable: [] });
    // People open what they get when they have time, and not the newest first.
    if (variant === "group commit") {
      subjects.push({ name: IN_RANDOM_ORDER, servers: [server], requests, claimable: [], arrange: shuffle });
    }
  }
  const results = await measureRounds(subjects, { rounds: ROUNDS, seconds: ROUND_SECONDS });
  const resultOf = (variant: (typeof COMPARED)[number] | typeof IN_RANDOM_ORDER) => {
    const result = results.get(variant);
    if (!result) throw new Error(`nothing was measured of '${variant}'`);
    return result;
  };
  const [app, ceiling, single] = [resultOf("group commit"), resultOf("no database"), resultOf("one per request")];
  const [plain, random] = [resultOf("plain route"), resultOf(IN_RANDOM_ORDER)];
  return [
    cpuRow("processor time of a create, against a plain Elysia route", app.creates, plain.creates, 5.5),
    cpuRow("processor time of a claim, against the same route", app.claims, plain.creates, 6.5),
    rateRow("claims/s, the newest first, against creates/s", app.claims, app.creates, 0.95),
    rateRow("claims/s, in random order, against creates/s", random.claims, random.creates, 0.9),
    latencyRow("claim p99, in random order, against the newest first", random.claims, app.claims, 0.99),
    rateRow("creates/s, against no database", app.creates, ceiling.creates, 0.5),
    rateRow("creates/s, against one transaction per request", app.creates, single.creates, 6),
    rateRow("claims/s, against no database", app.claims, ceiling.claims),
    rateRow("claims/s, against one transaction per request", app.claims, single.claims),
    latencyRow("create p50, against one per request", app.creates, single.creates, 0.5),
    latencyRow("create p99, against one per request", app.creates, single.creates, 0.99, 12),
    latencyRow("claim p50, against one per request", app.claims, single.claims, 0.5),
    latencyRow("claim p99, against one per request", app.claims, single.claims, 0.99, 12),
  ];
}

/** Measures what the load generator itself can do, against a server that does nothing. */
export async function measureGenerator(ciphertext: string): Promise<Row> {
  await using server = await startVariant("nothing", "-");
  const { create } = createRequests(server.token, ciphertext);
  const load = () =>
    runLoad({
      port: server.port,
      pid: server.pid,
      connections: CONNECTIONS,
      seconds: 1,
      next: create,
      expectedStatus: 201,
    });
  await load();
  const { answers, seconds, generator } = await load();
  return {
    measure: "load generator, creates/s of a server that does nothing",
    value: count(answers / seconds),
    baseline: "",
    ratio: "",
    aim: "",
    generator: percent(generator.computing),
  };
}
