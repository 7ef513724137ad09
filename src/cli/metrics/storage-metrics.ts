import type { Registry } from "prom-client";
import { TROUBLE_CODES } from "../../domain/ports/health.ts";
import type { HealthStore } from "../../domain/ports/health.ts";
import { BATCH_BOUNDS } from "../../domain/ports/statistics.ts";
import type { StatisticsStore, WriteCounts } from "../../domain/ports/statistics.ts";
import { createGauge, createGauges } from "./gauges.ts";
import { createHistogram } from "./histograms.ts";
import { toSeconds } from "./seconds.ts";

/**
 * Registers sizes, transactions and troubles of the storage. Returns a function that updates them and never rejects.
 */
export function createStorageMetrics(
  registry: Registry,
  store: Pick<StatisticsStore & HealthStore, "measureStorage" | "findTroubles">,
): () => Promise<void> {
  const gauge = (name: string, help: string) => createGauge(registry, `handoff_${name}`, help);
  const database = gauge("database_bytes", "Size of the database.");
  const log = gauge("wal_bytes", "Size of the changes that were written ahead of the database, and are not yet in it.");
  const free = gauge("disk_free_bytes", "Room on the disk of the data folder that the server may use.");
  const reserve = gauge(
    "ballast_bytes",
    "Size of the file that holds room on the disk back for claims; 0 while the disk is full.",
  );
  const wanted = gauge("ballast_wanted_bytes", "Size that this file is to have.");
  const behind = gauge("erasing_behind_seconds", "Age of the oldest erasure that the files still have something of.");
  const ready = gauge("ready", "1 when /health/ready answers 200, 0 when it answers 503.");
  const troubles = createGauges(
    registry,
    "handoff_storage_trouble",
    "1 while the storage has this trouble, as in /health/ready.",
    ["trouble"],
  );
  let writes: WriteCounts | undefined;
  const batches = {
    name: "handoff_transaction_writes",
    help: "Committed transactions by the number of writes that share each.",
    bounds: BATCH_BOUNDS,
  };
  createHistogram(registry, batches, () =>
    writes ? [{ labels: {}, buckets: writes.batches, count: writes.transactions, sum: writes.writes }] : [],
  );

  return async () => {
    const [measured, found] = await Promise.all([
      store.measureStorage().catch(() => undefined),
      store.findTroubles().catch(() => undefined),
    ]);
    writes = measured?.writes;
    database(measured?.databaseBytes);
    log(measured?.logBytes);
    free(measured?.freeBytes);
    reserve(measured?.reserveBytes);
    wanted(measured?.wantedReserveBytes);
    behind(toSeconds(measured?.erasingBehindMs));
    ready(found && !found.some(({ isSerious }) => isSerious) ? 1 : 0);
    const codes = new Set<string>(found?.map(({ code }) => code) ?? ["unreadable"]);
    troubles(TROUBLE_CODES.map((trouble) => [{ trouble }, codes.has(trouble) ? 1 : 0]));
  };
}
