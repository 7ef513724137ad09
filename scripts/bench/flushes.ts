import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { benchFolder } from "./folders.ts";
import type { Load } from "./loads.ts";
import type { Reading } from "./readers.ts";
import { createRequests } from "./requests.ts";
import { CONNECTIONS, create, note, nothingMeasured } from "./rounds.ts";
import type { Measured, Subject } from "./rounds.ts";
import { generatorShare, latencyRow, rate } from "./rows.ts";
import { startVariant } from "./servers.ts";
import type { BenchServer } from "./servers.ts";
import { slowDisk } from "./slow-disks.ts";
import { median } from "./statistics.ts";
import { aim } from "./tables.ts";
import type { Row } from "./tables.ts";

/** The time of a flush on a cloud's disk. */
const FLUSH_MS = 5;
const LEAST_CREATES_PER_SECOND = 8000;
const ROUNDS = 3;
const ROUND_SECONDS = 3;
/** Reads begin after the load has started, and end before it. */
const LEAD_SECONDS = 0.25;

/** The number of secrets to read: the latest ones. */
const MOST_READ = 10_000;

/** A server on one disk, and its measurements. */
interface Disk {
  readonly subject: Subject;
  readonly server: BenchServer;
  readonly creates: Measured;
  readonly reads: Measured;
}

/**
 * Compares creates, and reads during a load of creates, on a disk with slow flushes with those on this machine's disk.
 */
export async function measureFlushes(
  ciphertext: string,
  { rounds = ROUNDS, seconds = ROUND_SECONDS } = {},
): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack();
  const open = async (name: string, flushMs: number): Promise<Disk> => {
    const folder = cleanup.use(benchFolder());
    const env = flushMs > 0 ? slowDisk(folder.path, flushMs) : {};
    const server = cleanup.use(await startVariant("group commit", folder.path, env));
    const subject = { name, servers: [server], requests: createRequests(server.token, ciphertext), claimable: [] };
    await create(subject, LEAD_SECONDS);
    return { subject, server, creates: nothingMeasured(), reads: nothingMeasured() };
  };
  const disks = [await open("slow", FLUSH_MS), await open("fast", 0)] as const;
  // The first time is for the compiler alone.
  for (const disk of disks) await loadDisk(disk, seconds);
  for (let round = 0; round < rounds; round++) {
    for (const disk of disks) {
      const { creates, reads } = await loadDisk(disk, seconds);
      note(disk.creates, creates);
      note(disk.reads, reads);
    }
  }
  return rowsOf(...disks);
}

/** Runs loads of so many seconds, equally long except for the lead. */
async function loadDisk({ subject, server }: Disk, seconds: number): Promise<{ creates: Load; reads: Load }> {
  const { port, pid, token } = server;
  const secretIds = subject.claimable.slice(-MOST_READ);
  const loading = create(subject, seconds);
  await Bun.sleep(LEAD_SECONDS * 1000);
  const reads = await readBeside({ port, pid, token, secretIds, seconds: seconds - 2 * LEAD_SECONDS });
  return { creates: await loading, reads };
}

/** Reads secrets in another thread: in this one, each read would wait for answers to the creators. */
async function readBeside(reading: Reading): Promise<Load> {
  const readers = new Worker(new URL("./readers.ts", import.meta.url), { workerData: reading });
  const [load]: Load[] = await once(readers, "message");
  if (!load) throw new Error("the readers have measured nothing");
  return load;
}

function rowsOf(slow: Disk, fast: Disk): Row[] {
  const beside = `a flush takes ${FLUSH_MS} ms more: a read beside ${CONNECTIONS} creators`;
  const [perSecond, onFast] = [median(slow.creates.perSecond), median(fast.creates.perSecond)];
  return [
    latencyRow(`${beside}, p50`, slow.reads, fast.reads, 0.5, 0.5),
    latencyRow(`${beside}, p99`, slow.reads, fast.reads, 0.99, 3),
    {
      measure: `a flush takes ${FLUSH_MS} ms more: creates/s`,
      value: rate(slow.creates),
      baseline: rate(fast.creates),
      ratio: (perSecond / onFast).toFixed(2),
      aim: aim(`≥ ${LEAST_CREATES_PER_SECOND.toLocaleString("en")}`, perSecond >= LEAST_CREATES_PER_SECOND),
      generator: generatorShare(slow.creates),
    },
  ];
}
