import { join, relative } from "node:path";
import { benchFolder } from "./folders.ts";
import { runLoad } from "./loads.ts";
import type { Load } from "./loads.ts";
import type { Profile, ThreadProfile } from "./profilers.ts";
import { createdId, createRequests, sealCiphertext } from "./requests.ts";
import { CONNECTIONS } from "./rounds.ts";
import { startVariant } from "./servers.ts";
import { count, percent } from "./tables.ts";

const SECONDS = 5;
const SHOWN = 20;
/** In the order in which they are started. */
const THREADS = ["the thread that answers", "the thread that writes"];

/** The functions that most of the samples were taken in, with their share of all samples in percent. */
function mostExpensive({ nodes, samples }: Profile): { readonly place: string; readonly percent: number }[] {
  const placeOf = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const file = url === "" ? "" : ` ${relative(process.cwd(), url.replace("file://", ""))}:${lineNumber + 1}`;
      return [id, `${functionName || "(anonymous)"}${file}`];
    }),
  );
  const counts = new Map<string, number>();
  for (const sample of samples) {
    const place = placeOf.get(sample) ?? "(unknown)";
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return [...counts]
    .map(([place, taken]) => ({ place, percent: (100 * taken) / samples.length }))
    .toSorted((a, b) => b.percent - a.percent)
    .slice(0, SHOWN);
}

function describe(kind: string, load: Load, threads: readonly ThreadProfile[]): string {
  const micros = Math.round((load.cpuSeconds / load.answers) * 1e6);
  const lines = threads.flatMap(({ share, profile }, index) => [
    `\n${THREADS[index] ?? "another thread"}: ${percent(share)} of a core`,
    ...mostExpensive(profile).map((each) => `${each.percent.toFixed(1).padStart(5)} %  ${each.place}`),
  ]);
  return `\n${kind}: ${count(load.answers / load.seconds)}/s, ${micros} µs of processor time each\n${lines.join("\n")}`;
}

// What `scripts/bench/profile` prints.
const [kept = ""] = process.argv.slice(2);
using data = benchFolder();
await using server = await startVariant("group commit", data.path);
const requests = createRequests(server.token, await sealCiphertext(1024));
const claimable: string[] = [];
const target = { port: server.port, pid: server.pid, connections: CONNECTIONS, seconds: SECONDS };
const kinds = {
  creates: {
    next: requests.create,
    expectedStatus: 201,
    onAnswer: ({ head }: { head: string }) => void claimable.push(createdId(head)),
  },
  claims: {
    next: () => {
      const id = claimable.pop();
      return id === undefined ? undefined : requests.claim(id);
    },
    expectedStatus: 200,
  },
};
for (const [kind, call] of Object.entries(kinds)) {
  let load: Load | undefined;
  const threads = await server.profile(async () => {
    load = await runLoad({ ...target, ...call });
  });
  if (load) console.log(describe(kind, load, threads));
  if (kept === "") continue;
  for (const [index, { profile }] of threads.entries()) {
    await Bun.write(join(kept, `${kind}-${index}.cpuprofile`), JSON.stringify(profile));
  }
}
