import { benchFolder } from "./folders.ts";
import { createRequests, sealCiphertext } from "./requests.ts";
import { createMany, measureRounds, shuffle } from "./rounds.ts";
import type { Subject } from "./rounds.ts";
import { BOUND_NOTE, rateRow } from "./rows.ts";
import { startVariant } from "./servers.ts";
import { count, rowTable } from "./tables.ts";
import type { Row } from "./tables.ts";

const ROUNDS = 4;
const ROUND_SECONDS = 2;

/**
 * Compares creates and claims with `stored` secrets in the database to those in an empty one. Claims are in random
 * order.
 */
async function measureStored(stored: number): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack();
  const ciphertext = await sealCiphertext(1024);
  const open = async (name: string, seeds: number): Promise<Subject> => {
    const folder = cleanup.use(benchFolder());
    const server = cleanup.use(await startVariant("group commit", folder.path));
    const requests = createRequests(server.token, ciphertext);
    const subject = { name, servers: [server], requests, claimable: [], arrange: shuffle };
    await createMany(subject, seeds);
    return subject;
  };
  const subjects = [await open("full", stored), await open("empty", 0)];
  const results = await measureRounds(subjects, { rounds: ROUNDS, seconds: ROUND_SECONDS });
  const [full, empty] = [results.get("full"), results.get("empty")];
  if (!full || !empty) throw new Error("nothing was measured");
  const measure = `with ${count(stored)} stored secrets, against an empty database`;
  return [
    rateRow(`creates/s ${measure}`, full.creates, empty.creates, 0.9),
    rateRow(`claims/s ${measure}`, full.claims, empty.claims, 0.8),
  ];
}

const stored = Number(process.argv[2]);
if (!Number.isInteger(stored) || stored < 1) throw new Error("how many secrets are to be stored?");
console.log(`${rowTable(await measureStored(stored))}\n\n${BOUND_NOTE}`);
process.exit(0);
