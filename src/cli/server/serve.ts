import type { Settings } from "../../config/settings.ts";
import { traceOf } from "../../contract/error-traces.ts";
import { toIsoTime } from "../../contract/times.ts";
import { UserError } from "../../contract/user-errors.ts";
import { startBlobSweeper } from "../../domain/large/blob-sweeper.ts";
import { createService } from "../../domain/service.ts";
import type { Service } from "../../domain/service.ts";
import { startSweeper } from "../../domain/sweeper.ts";
import { systemClock } from "../../domain/values/clocks.ts";
import { systemRandom } from "../../domain/values/random.ts";
import { createApp } from "../../http/app.ts";
import { startServer } from "../../http/server.ts";
import type { ListenTarget, RunningServer, TlsPair } from "../../http/server.ts";
import type { RunningMetrics } from "../metrics/metrics-server.ts";
import type { MetricsOptions } from "../metrics/metrics.ts";
import { useLogFormat } from "../terminal/log-lines.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { AcmeCertificate, OpenAcme } from "./acme-certificates.ts";
import { reportFailures } from "./background-failures.ts";
import { findEnd } from "./certificate-dates.ts";
import { readTls } from "./certificates.ts";
import { checkTarget } from "./listen-targets.ts";
import { createLog } from "./logs.ts";
import type { ServerLog } from "./logs.ts";
import { startMails } from "./mail-sending.ts";
import { openMailer } from "./mail-settings.ts";
import { bodyMemoryBytes } from "./memory.ts";
import { toServerPolicy } from "./policy.ts";
import { readAll, tellCertificate } from "./read-settings.ts";
import { warnAtStart, warnOfRoot, warnOfTeams } from "./start-warnings.ts";
import { watchStorage } from "./storage-watch.ts";
import { storageAt } from "./storages/open-storage.ts";
import type { Place } from "./storages/places.ts";
import type { ServerStorage } from "./storages/storage.ts";
import { openServiceManager } from "./systemd/service-manager.ts";
import { findVersions, VERSION } from "./version.ts";
import { startWebhooks } from "./webhook-sending.ts";

const SWEEP_INTERVAL_MS = 1000;
const BLOB_SWEEP_INTERVAL_MS = 10_000;
const WATCH_INTERVAL_MS = 1000;
const GRACE_MS = 10_000;
/**
 * The time after that in which everything else has to end: a disk or database that hangs must not delay the server's
 * end.
 */
const END_MS = 5000;

/** Runs the server until the terminal is interrupted, then lets what is in flight finish. */
export async function serve(settings: Settings, terminal: Terminal, openAcme: OpenAcme): Promise<void> {
  const { target, place, objectStore, trustedProxies, brand, metricsTarget, acmeTarget, mail, ...read } = readAll(
    settings,
    terminal.env,
  );
  await checkTarget(target, read.tls !== undefined || acmeTarget !== undefined);
  for (const other of [metricsTarget, acmeTarget]) if (other) await checkTarget(other, false);
  const interruption = terminal.interruptible();
  useLogFormat(settings.logFormat);
  const log = createLog(settings.logLevel, terminal.log);
  const listening = Promise.withResolvers<RunningServer>();
  let served = read.tls;
  const tellManager = openServiceManager(log);
  const renew = (running: RunningServer) => {
    tellManager("RELOADING");
    served = renewCertificate(running, settings, log) ?? served;
    storage.reload?.();
    tellManager("READY");
  };
  terminal.onHangup(() => void listening.promise.then(renew));

  warnOfRoot(log);
  warnAtStart(settings, { target, metricsTarget }, terminal, log);
  const storeEnd = Promise.withResolvers<never>();
  // This is checked as soon as the server is up.
  storeEnd.promise.catch(() => undefined);
  const storage = await (
    await storageAt(place)
  ).open({
    settings,
    objectStore,
    log,
    onStoreEnd: storeEnd.reject,
    interruption,
  });
  const { clock, ids, large } = storage;
  let acme: AcmeCertificate | undefined;
  const store = {
    ...storage.store,
    findTroubles: async () => [...(await storage.store.findTroubles()), ...(acme?.troubles() ?? [])],
  };
  const policy = { ...toServerPolicy(settings), ...(large ? {} : { maxSecretBytes: 0 }) };
  const service = createService({ store, large, clock, ids, random: systemRandom, policy });
  const kept = storage.opened.then(() =>
    Promise.all([keepTeamQuota(service, settings, log), warnOfTeams(service.store, settings, log)]),
  );
  if (place.kind === "folder") await kept;
  const sweeper = startSweeper({
    store: service.store,
    intervalMs: SWEEP_INTERVAL_MS,
    onError: reportFailures(log, "sweep failed"),
    opened: storage.opened,
  });
  const blobSweeper =
    large &&
    startBlobSweeper({
      large,
      intervalMs: BLOB_SWEEP_INTERVAL_MS,
      onError: reportFailures(log, "sweep of large secrets failed"),
      opened: storage.opened,
    });
  const unwatch = watchStorage(service.store, log, WATCH_INTERVAL_MS);
  const webhooks = startWebhooks(service, log, storage.opened);
  let server: RunningServer | undefined;
  const baseUrl = () => settings.baseUrl ?? server?.url ?? "http://localhost";
  const mails =
    mail &&
    startMails(
      service,
      { open: () => openMailer(mail, { baseUrl, brand }), contact: brand.contact },
      log,
      storage.opened,
    );
  let metrics: RunningMetrics | undefined;
  try {
    const certificateEnd = () => served && findEnd(served);
    metrics =
      metricsTarget &&
      (await openMetrics(service, settings, metricsTarget, { storage, certificateEnd, webhooks, mails, log }));
    const app = createApp(service, {
      baseUrl,
      trustedProxies,
      bodyMemoryBytes: bodyMemoryBytes(settings),
      corsOrigins: settings.corsOrigin,
      log,
      logAddresses: settings.logAddresses,
      page: async () => (await import("./page-sources.ts")).PAGE,
      brand,
      authenticators: async () => (await import("../../signing-in/passkeys.ts")).authenticators,
      singleSignOn: read.singleSignOn,
      wakeMails: mails && (() => void mails.look()),
      observer: metrics?.observer,
      version: VERSION,
      installation: storage.installation,
    });
    acme = acmeTarget && (await startAcme(openAcme, settings, { target: acmeTarget, place, log, interruption }));
    if (interruption.aborted) return log.info({}, "stopping");
    served ??= acme?.current();
    const tls = served;
    server = await startServer(app, { target, tls });
    listening.resolve(server);
    acme?.renew((pair) => {
      server?.useCertificate(pair);
      served = pair;
    });
    const of = {
      listen: settings.listen,
      url: baseUrl(),
      ...storage.shown,
      version: VERSION,
      metrics_url: metrics?.url,
    };
    const { acme: names } = settings;
    const certificate = acme
      ? { acme: names, not_after: tls && toIsoTime(findEnd(tls) ?? 0) }
      : tls && tellCertificate(tls, settings, log);
    log.info({ ...of, ...certificate }, "listening");
    tellManager("READY");
    await Promise.race([untilAborted(interruption), storeEnd.promise]);
    log.info({}, "stopping");
    tellManager("STOPPING");
    // Waiting calls are answered now, so that they don't delay the end.
    service.waits.release();
    await server.stop(GRACE_MS);
  } finally {
    sweeper.stop();
    unwatch();
    await endInTime(async () => {
      await acme?.stop();
      await metrics?.stop();
      await Promise.all([webhooks.stop(), mails?.stop(), blobSweeper?.stop()]);
      await storage.close();
    });
  }
  log.info({}, "stopped");
}

/** Throws UserError when `end` takes too long. */
async function endInTime(end: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(resolve, END_MS, "late");
  const outcome = await Promise.race([end(), promise]).finally(() => clearTimeout(timer));
  if (outcome !== "late") return;
  throw new UserError(
    "failure",
    "the storage hangs, so the server ended without closing it. All that was acknowledged is kept. Look at the disk, or at PostgreSQL, before you start it again",
  );
}

/** Gets and keeps a certificate; undefined when it is interrupted. Rejects as `openAcme` does. */
async function startAcme(
  openAcme: OpenAcme,
  settings: Settings,
  of: {
    readonly target: ListenTarget;
    readonly place: Place;
    readonly log: ServerLog;
    readonly interruption: AbortSignal;
  },
): Promise<AcmeCertificate | undefined> {
  const { target, place, log, interruption } = of;
  if (place.kind !== "folder") throw usageError("--acme needs a data folder");
  const { acme, acmeContact, acmeDirectory, baseUrl = "" } = settings;
  const { folder: dataFolder } = place;
  const { now } = systemClock;
  const opened = openAcme({ acme, acmeContact, acmeDirectory, target, dataFolder, baseUrl, log, now });
  // It may wait for the authority for minutes.
  return Promise.race([opened, untilAborted(interruption).then(() => undefined)]);
}

/** Serves metrics at `target`. The code for it is only loaded by servers with metrics. Throws ListenError. */
async function openMetrics(
  service: Service,
  settings: Settings,
  target: ListenTarget,
  of: Pick<MetricsOptions, "certificateEnd" | "mails" | "webhooks"> & {
    readonly storage: ServerStorage;
    readonly log: ServerLog;
  },
): Promise<RunningMetrics> {
  const { startMetrics } = await import("../metrics/metrics-server.ts");
  return startMetrics(service, target, {
    versions: await findVersions(),
    bodyMemoryBytes: bodyMemoryBytes(settings),
    certificateEnd: of.certificateEnd,
    webhooks: of.webhooks,
    mails: of.mails,
    findLastBackup: of.storage.findLastBackup,
    log: of.log,
  });
}

/** Stores the quota for the admin command. A failure, such as a full disk, is no reason not to serve. */
async function keepTeamQuota({ store }: Service, { teamQuota }: Settings, log: ServerLog) {
  try {
    await store.keepTeamQuota(teamQuota);
  } catch (error) {
    log.warn(traceOf(error), "'admin team list' may show the quota of before: this one can't be kept");
  }
}

/** Reads the certificate again for new connections, and returns it. With a bad one, the old one stays. */
function renewCertificate(server: RunningServer, settings: Settings, log: ServerLog): TlsPair | undefined {
  try {
    const tls = readTls(settings);
    if (tls) {
      server.useCertificate(tls);
      log.info(tellCertificate(tls, settings, log), "certificate read again");
    } else log.info({}, "no certificate to read again");
    return tls;
  } catch (error) {
    log.error(error instanceof UserError ? { reason: error.message } : traceOf(error), "certificate not changed");
    return undefined;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
