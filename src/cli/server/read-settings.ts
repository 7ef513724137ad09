import { unknownVariables } from "../../config/load.ts";
import type { Settings } from "../../config/settings.ts";
import type { Environment } from "../../config/sources.ts";
import { UserError } from "../../contract/user-errors.ts";
import { systemClock } from "../../domain/values/clocks.ts";
import { parseTrustedProxies } from "../../http/gate/addresses.ts";
import type { Brand, TrustedProxies } from "../../http/options.ts";
import type { ListenTarget, TlsPair } from "../../http/server.ts";
import { useLogFormat } from "../terminal/log-lines.ts";
import { usageError } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readBrand } from "./brand/brands.ts";
import { checkDates, refuseOutdated } from "./certificate-dates.ts";
import { findNameFault, refuseOtherName } from "./certificate-names.ts";
import { readTls } from "./certificates.ts";
import { checkApart, checkGroup, parseListen } from "./listen-targets.ts";
import { createLog } from "./logs.ts";
import type { ServerLog } from "./logs.ts";
import { readMail } from "./mail-settings.ts";
import type { MailSettings } from "./mail-settings.ts";
import { readSingleSignOn } from "./single-sign-on.ts";
import type { SingleSignOn } from "./single-sign-on.ts";
import { warnAtStart } from "./start-warnings.ts";
import { readObjectStore } from "./storages/object-stores.ts";
import type { ObjectStorePlace } from "./storages/object-stores.ts";
import { findPlace } from "./storages/places.ts";
import type { Place } from "./storages/places.ts";

/** What the settings name, loaded. */
export interface ReadSettings {
  readonly target: ListenTarget;
  readonly place: Place;
  /** Where large secrets are beside PostgreSQL; undefined where there is no such place. */
  readonly objectStore: ObjectStorePlace | undefined;
  readonly trustedProxies: TrustedProxies;
  readonly tls: TlsPair | undefined;
  readonly brand: Brand;
  /** The provider of single sign-on; undefined without it. */
  readonly singleSignOn: SingleSignOn | undefined;
  /** The address for metrics; undefined when none are wanted. */
  readonly metricsTarget: ListenTarget | undefined;
  /** The address for the checks of ACME; undefined without it. */
  readonly acmeTarget: ListenTarget | undefined;
  /** Where mails are handed in; undefined without mail. */
  readonly mail: MailSettings | undefined;
}

/** Reads everything that `settings` name, and opens nothing. Throws CommandError that says what is wrong. */
export function readAll(settings: Settings, env: Environment): ReadSettings {
  const target = parseListen(settings.listen, settings);
  const metricsTarget = readMetricsTarget(settings, target);
  const acmeTarget = readAcmeTarget(settings, [target, metricsTarget]);
  checkGroup(settings.socketGroup, [target, metricsTarget]);
  return {
    target,
    metricsTarget,
    acmeTarget,
    place: findPlace(settings, env),
    objectStore: readObjectStore(settings),
    trustedProxies: readTrustedProxies(settings),
    tls: readTls(settings),
    brand: readBrand(settings),
    singleSignOn: readSingleSignOn(settings),
    mail: readMail(settings),
  };
}

function readMetricsTarget({ metricsListen, socketGroup }: Settings, target: ListenTarget): ListenTarget | undefined {
  if (metricsListen === undefined) return undefined;
  const metricsTarget = parseListen(metricsListen, { socketGroup, flag: "--metrics-listen" });
  checkApart(target, metricsTarget);
  return metricsTarget;
}

function readAcmeTarget(
  { acme, acmeListen }: Settings,
  others: readonly (ListenTarget | undefined)[],
): ListenTarget | undefined {
  if (acme.length === 0) return undefined;
  const target = parseListen(acmeListen, { flag: "--acme-listen" });
  for (const other of others) if (other) checkApart(other, target);
  return target;
}

/** Checks settings as a start does, without opening anything. Throws CommandError, also where a start only warns. */
export function checkSettings(settings: Settings, terminal: Terminal): void {
  const read = refuseFaults(settings, terminal.env);
  useLogFormat(settings.logFormat);
  const all = createLog(settings.logLevel, terminal.log);
  const log = terminal.isQuiet() ? { ...all, info: () => undefined } : all;
  warnAtStart(settings, read, terminal, log);
  if (read.tls) tellCertificate(read.tls, settings, log);
}

/** The same check, without what it says of settings that a server can start with. */
export function refuseFaults(settings: Settings, env: Environment): ReadSettings {
  refuseUnknown(env);
  const read = readAll(settings, env);
  if (read.tls) {
    refuseOutdated(read.tls, settings.tlsCert ?? "", systemClock.now());
    refuseOtherName(read.tls, settings);
  }
  return read;
}

function refuseUnknown(env: Environment): void {
  const unknown = unknownVariables(env).map(
    ({ name, nearest }) => `no setting has the variable ${name}. Did you mean ${nearest}?`,
  );
  if (unknown.length > 0) throw usageError(unknown.join("\n"));
}

/** Describes the certificate for the log, and logs a line for each that clients refuse. */
export function tellCertificate(tls: TlsPair, settings: Settings, log: ServerLog) {
  const { tlsCert = "" } = settings;
  const fault = findNameFault(tls, settings);
  if (fault !== undefined) log.warn({ tls_cert: tlsCert }, fault);
  return { tls_cert: tlsCert, not_after: checkDates(tls, tlsCert, systemClock.now(), log)?.not_after };
}

function readTrustedProxies(settings: Settings): TrustedProxies {
  try {
    return parseTrustedProxies(settings.trustedProxy);
  } catch (error) {
    throw error instanceof UserError ? usageError(`--trusted-proxy: ${error.message}`) : error;
  }
}
