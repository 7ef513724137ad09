// A process of its own with a store over the folder argv[2]. It says "open", and when told to go claims every secret of
// the team argv[3] whose id it reads on standard input; then it prints those that it got, as JSON.
import { createMonotonicClock, systemClock } from "../../src/domain/values/clocks.ts";
import { createIds } from "../../src/domain/values/ids.ts";
import { systemRandom } from "../../src/domain/values/random.ts";
import { openStore } from "../../src/store/sqlite/assembly/store.ts";

const [, , folder = "", teamId = ""] = process.argv;
const clock = createMonotonicClock(systemClock);
const ids = createIds(clock, systemRandom);
const store = openStore({ folder, clock, ids, tombstoneSeconds: 86_400, ballastBytes: 0 });
process.stdout.write("open\n");

const wanted: string[] = JSON.parse(await Bun.stdin.text());
const claims = await Promise.all(
  wanted.map(async (id) => {
    const outcome = await store.claimSecret({ id, teamId, actorId: null, call: undefined });
    return outcome?.kind === "claimed" ? [{ id, ciphertext: outcome.ciphertext }] : [];
  }),
);
await store.close();
process.stdout.write(`${JSON.stringify(claims.flat())}\n`);
