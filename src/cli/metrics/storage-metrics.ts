import type { Registry } from "prom-client";
import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";
import { BATCH_BOUNDS } from "../../domain/ports/statistics.ts";
import type { StatisticsStore, WriterMeasures } from "../../domain/ports/statistics.ts";
import { createGauge, createGauges } from "./gauges.ts";
import { createHistogram } from "./histograms.ts";

const TROUBLES: Readonly<Record<StorageTrouble["code"], true>> = {
  files_lost: true,
  unreadable: true,
  damaged: true,
  flush_failed: true,
  disk_stalled: true,
  no_room: true,
  quota_used_up: true,
  read_only: true,
  write_failed: true,
  locked: true,
  long_reader: true,
};

/** Sizes, transactions and troubles of the storage. Returns what brings them up to date, and never rejects. */
export function createStorageMetrics(
  registry: Registry,
  store: Pick<StatisticsStore & HealthStore, "measureStorage" | "findTroubles">,
): () => Promise<void> {
  const gauge = (name: string, help: string) => createGauge(registry, `handoff_${name}`, help);
  const database = gauge("database_bytes", "Size of handoff.db.");
  const wal = gauge("wal_bytes", "Size of handoff.db-wal.");
  const free = gauge("disk_free_bytes", "Room on the disk of the data folder that the server may use.");
  const ballast = gauge("ballast_bytes", "Room on the disk held back for claims.");
  const wanted = gauge("ballast_wanted_bytes", "Room that is to be held back for claims.");
  const ready = gauge("ready", "1 when /health/ready answers 200, 0 when it answers 503.");
  const troubles = createGauges(
    registry,
    "handoff_storage_trouble",
    "1 while the storage has this trouble, as in /health/ready.",
    ["trouble"],
  );
  let writer: WriterMeasures | undefined;
  const batches = {
    name: "handoff_transaction_writes",
    help: "Committed transactions by the number of writes that share each.",
    bounds: BATCH_BOUNDS,
  };
  createHistogram(registry, batches, () =>
    writer ? [{ labels: {}, buckets: writer.batches, count: writer.transactions, sum: writer.writes }] : [],
  );

  return async () => {
    const [measured, found] = await Promise.all([
      store.measureStorage().catch(() => undefined),
      store.findTroubles().catch(() => undefined),
    ]);
    ({ writer } = measured ?? { writer: undefined });
    database(measured?.databaseBytes);
    wal(measured?.walBytes);
    free(measured?.freeBytes);
    ballast(writer?.reserveBytes);
    wanted(writer?.wantedReserveBytes);
    ready(found && !found.some(({ isSerious }) => isSerious) ? 1 : 0);
    const codes = new Set<string>(found?.map(({ code }) => code) ?? ["unreadable"]);
    troubles(Object.keys(TROUBLES).map((trouble) => [{ trouble }, codes.has(trouble) ? 1 : 0]));
  };
}
