import { benchFolder } from "./folders.ts";
import { createRequests } from "./requests.ts";
import { measureRounds } from "./rounds.ts";
import type { Subject } from "./rounds.ts";
import { rateRow } from "./rows.ts";
import { startVariant } from "./servers.ts";
import type { BenchServer } from "./servers.ts";
import type { Row } from "./tables.ts";

const ROUNDS = 5;
const ROUND_SECONDS = 2;

/** Compares creates with ten webhooks for each of them to creates without any: webhooks must not slow them down. */
export async function measureWebhooks(ciphertext: string): Promise<Row> {
  await using cleanup = new AsyncDisposableStack();
  const receiver = cleanup.use(await startVariant("nothing", "-"));
  const subjects: Subject[] = [];
  for (const variant of ["with webhooks", "group commit"] as const) {
    const server = cleanup.use(await startVariant(variant, cleanup.use(benchFolder()).path, receivedBy(receiver)));
    const requests = createRequests(server.token, ciphertext);
    subjects.push({ name: variant, servers: [server], requests, claimable: [] });
  }
  const results = await measureRounds(subjects, { rounds: ROUNDS, seconds: ROUND_SECONDS });
  const [told, plain] = [results.get("with webhooks"), results.get("group commit")];
  if (!told || !plain) throw new Error("nothing was measured");
  return rateRow("creates/s with ten webhooks, against none", told.creates, plain.creates, 0.95);
}

/** The environment of a server whose webhooks call `receiver`. */
export function receivedBy({ port }: Pick<BenchServer, "port">): Readonly<Record<string, string>> {
  return { BENCH_RECEIVER: `http://127.0.0.1:${port}/` };
}
