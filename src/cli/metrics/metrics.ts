import { Gauge, Registry } from "prom-client";
import type { MailSender } from "../../domain/mails/sender.ts";
import type { Service } from "../../domain/service.ts";
import type { WebhookSender } from "../../domain/webhooks/sender.ts";
import type { Observer } from "../../http/options.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { createGauge } from "./gauges.ts";
import { createLargeMetrics } from "./large-metrics.ts";
import { createMailMetrics } from "./mail-metrics.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { toSeconds } from "./seconds.ts";
import { createStorageMetrics } from "./storage-metrics.ts";
import { createTeamMetrics } from "./team-metrics.ts";
import { createWebhookMetrics } from "./webhook-metrics.ts";

/** The facts about the server, beside the service, that metrics show. */
export interface MetricsOptions {
  readonly versions: Readonly<Record<"version" | "commit" | "bun" | "sqlite", string>>;
  /** The maximum number of bytes for all bodies together. */
  readonly bodyMemoryBytes: number;
  /** The end of the server's certificate, in epoch milliseconds; undefined without TLS. */
  readonly certificateEnd: () => number | undefined;
  readonly webhooks: Pick<WebhookSender, "figures" | "calls">;
  /** The sender of mails; undefined without mail. */
  readonly mails?: Pick<MailSender, "counts"> | undefined;
  /** The time of the last backup, in epoch milliseconds; 0 when there is none, undefined when it isn't known. */
  readonly findLastBackup: () => Promise<number | undefined>;
}

/** The metrics of a server. */
export interface Metrics {
  readonly observer: Observer;
  readonly contentType: string;
  /** All current metrics in Prometheus's text format. Concurrent callers get the same text. */
  readonly scrape: () => Promise<string>;
}

/** Starts to count what `service` does. */
export function createMetrics(service: Service, options: MetricsOptions): Metrics {
  const registry = new Registry();
  tellBuild(registry, options.versions);
  const calls = createCallMetrics(registry);
  let takenBytes: () => number = () => 0;
  const readings = [
    createStorageMetrics(registry, service.store),
    createTeamMetrics(registry, service.store, service.policy.teamQuotaBytes),
    ...(service.large ? [createLargeMetrics(registry, service.large.uploads)] : []),
    createBackupMetrics(registry, options.findLastBackup),
    createWebhookMetrics(registry, service.clock, options.webhooks),
  ];
  const updates = [
    calls.update,
    createProcessMetrics(registry),
    ...(options.mails ? [createMailMetrics(registry, options.mails)] : []),
    createServerMetrics(registry, service, { ...options, takenBytes: () => takenBytes() }),
  ];
  let scraping: Promise<string> | undefined;
  const scrape = async () => {
    await Promise.all(readings.map((read) => read()));
    for (const update of updates) update();
    return registry.metrics();
  };
  return {
    observer: { onAnswer: calls.onAnswer, watchBodies: (taken) => void (takenBytes = taken) },
    contentType: registry.contentType,
    scrape: () => (scraping ??= scrape().finally(() => (scraping = undefined))),
  };
}

function tellBuild(registry: Registry, { version, commit, bun, sqlite }: MetricsOptions["versions"]): void {
  new Gauge({
    name: "handoff_build_info",
    help: "Always 1; the labels say what runs.",
    labelNames: ["version", "commit", "bun", "sqlite"],
    registers: [registry],
  }).set({ version, commit, bun, sqlite }, 1);
}

function createServerMetrics(
  registry: Registry,
  { waits }: Service,
  options: MetricsOptions & { readonly takenBytes: () => number },
): () => void {
  const gauge = (name: string, help: string) => createGauge(registry, `handoff_${name}`, help);
  const waiting = gauge("waiting_calls", "Calls that wait for a change, and streams.");
  const bodies = gauge("body_bytes", "Memory of bodies that are being read, and of large answers that are being sent.");
  const mostBodies = gauge("body_limit_bytes", "What they may take together.");
  const certificate = gauge("tls_certificate_end_timestamp_seconds", "When the certificate of the server ends.");
  return () => {
    waiting(waits.waiting());
    bodies(options.takenBytes());
    mostBodies(options.bodyMemoryBytes);
    certificate(toSeconds(options.certificateEnd()));
  };
}

/** Returns a function that updates the metrics and never rejects. */
function createBackupMetrics(
  registry: Registry,
  findLastBackup: MetricsOptions["findLastBackup"],
): () => Promise<void> {
  const name = "handoff_last_backup_timestamp_seconds";
  const backup = createGauge(registry, name, "When the last backup was made; 0 when there is none.");
  return async () => backup(toSeconds(await findLastBackup().catch(() => undefined)));
}
