import { X509Certificate } from "node:crypto";
import type { TlsPair } from "../../http/server.ts";
import { usageError } from "../terminal/terminal.ts";
import { certificatesIn } from "./certificates.ts";

/** The log for certificates that are out of date. */
interface DatesLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The validity of a certificate, as RFC 3339. */
interface Dates {
  readonly not_before: string;
  readonly not_after: string;
}

/** A certificate that isn't valid now. */
interface DatesFault {
  /** Its place in the file, from 1. */
  readonly certificate: number;
  readonly dates: Dates;
  readonly complaint: string;
  readonly advice: string;
}

/** Logs each certificate that isn't valid at `now`, in epoch milliseconds. Returns the dates of the server's own. */
export function checkDates(pair: TlsPair, path: string, now: number, log: DatesLog): Dates | undefined {
  const all = certificatesIn(pair.cert).map(datesOf);
  for (const { certificate, dates, complaint, advice } of findFaults(all, path, now)) {
    log.warn({ tls_cert: path, certificate, ...dates }, `${complaint}: ${advice}`);
  }
  return all[0];
}

/**
 * Throws CommandError when the server's own certificate of `pair`, read from the file `path`, isn't valid at `now`, in
 * epoch milliseconds.
 */
export function refuseOutdated(pair: TlsPair, path: string, now: number): void {
  const own = certificatesIn(pair.cert).slice(0, 1).map(datesOf);
  for (const { dates, complaint, advice } of findFaults(own, path, now)) {
    const { not_before: from, not_after: until } = dates;
    throw usageError(`--tls-cert: '${path}': ${complaint} (it counts from ${from} until ${until}): ${advice}`);
  }
}

function findFaults(all: readonly Dates[], path: string, now: number): DatesFault[] {
  return all.flatMap((dates, index): DatesFault[] => {
    const what = index === 0 ? "the certificate" : "a certificate of the chain";
    const who = index === 0 ? "clients refuse it" : "clients may refuse the server";
    const fault = (how: string, advice: string) => [
      { certificate: index + 1, dates, complaint: `${what} ${how}, and ${who}`, advice },
    ];
    if (Date.parse(dates.not_after) < now) return fault("has expired", `renew it, then ${howToReadAgain(path)}`);
    if (Date.parse(dates.not_before) > now) {
      return fault("isn't valid yet", "check its dates and this machine's clock");
    }
    return [];
  });
}

/** Says how the server reads the file `path` again. systemd copies credentials only at the start (systemd.exec(5)). */
export function howToReadAgain(path: string): string {
  const isCredential = /^\/run\/(user\/\d+\/)?credentials\//.test(path);
  return isCredential
    ? "restart the service (sudo systemctl restart handoff), because systemd hands the file in only at its start"
    : "send SIGHUP (sudo systemctl reload handoff), or restart the server";
}

/** The earliest end of a certificate in the chain of `pair`, in epoch milliseconds; undefined when none has one. */
export function findEnd(pair: TlsPair): number | undefined {
  const ends = certificatesIn(pair.cert).map((pem) => Date.parse(datesOf(pem).not_after));
  return ends.filter((end) => !Number.isNaN(end)).toSorted((a, b) => a - b)[0];
}

function datesOf(pem: string): Dates {
  const { validFrom, validTo } = new X509Certificate(pem);
  return { not_before: toTime(validFrom), not_after: toTime(validTo) };
}

/** Converts a date as OpenSSL writes it to RFC 3339; returns anything else unchanged. */
function toTime(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}
