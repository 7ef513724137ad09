import { benchFolder } from "./folders.ts";
import { createRequests, sealCiphertext } from "./requests.ts";
import { measureRounds } from "./rounds.ts";
import type { Subject } from "./rounds.ts";
import { BOUND_NOTE, cpuRow, rateRow } from "./rows.ts";
import { startVariant } from "./servers.ts";
import { rowTable } from "./tables.ts";
import type { Row } from "./tables.ts";

// `bun scripts/bench/metrics.ts`: the app with metrics against the app without, in turn. Takes about a minute.

const ROUNDS = 6;
const ROUND_SECONDS = 2;

async function measureMetrics(): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack();
  const ciphertext = await sealCiphertext(1024);
  const subjects: Subject[] = [];
  for (const variant of ["with metrics", "group commit"] as const) {
    const folder = cleanup.use(benchFolder());
    const server = cleanup.use(await startVariant(variant, folder.path));
    const requests = createRequests(server.token, ciphertext);
    subjects.push({ name: variant, port: server.port, pid: server.pid, requests, claimable: [] });
  }
  const results = await measureRounds(subjects, { rounds: ROUNDS, seconds: ROUND_SECONDS });
  const [on, off] = [results.get("with metrics"), results.get("group commit")];
  if (!on || !off) throw new Error("nothing was measured");
  return [
    cpuRow("processor time of a create with metrics, against without", on.creates, off.creates, 1.05),
    cpuRow("processor time of a claim with metrics, against without", on.claims, off.claims, 1.05),
    rateRow("creates/s with metrics, against without", on.creates, off.creates, 0.95),
    rateRow("claims/s with metrics, against without", on.claims, off.claims, 0.95),
  ];
}

console.log(`${rowTable(await measureMetrics())}\n\n${BOUND_NOTE}`);
