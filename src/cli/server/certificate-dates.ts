import { X509Certificate } from "node:crypto";
import type { TlsPair } from "../../http/server.ts";
import { certificatesIn } from "./certificates.ts";

/** The log in which it is said that a certificate is out of date. */
interface DatesLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** From when until when a certificate counts, as RFC 3339. */
interface Dates {
  readonly not_before: string;
  readonly not_after: string;
}

/**
 * Writes a line for each certificate of `pair`, read from the file `path`, that doesn't count at `now`, in epoch
 * milliseconds. Returns the dates of the first one, which is the server's own.
 */
export function checkDates(pair: TlsPair, path: string, now: number, log: DatesLog): Dates | undefined {
  const all = certificatesIn(pair.cert).map(datesOf);
  for (const [index, dates] of all.entries()) {
    const what = index === 0 ? "the certificate" : "a certificate of the chain";
    const who = index === 0 ? "clients refuse it" : "clients may refuse the server";
    const fields = { tls_cert: path, certificate: index + 1, ...dates };
    if (Date.parse(dates.not_after) < now) {
      log.warn(fields, `${what} has expired, and ${who}: renew it, then ${howToReadAgain(path)}`);
    } else if (Date.parse(dates.not_before) > now) {
      log.warn(fields, `${what} isn't valid yet, and ${who}: check its dates and this machine's clock`);
    }
  }
  return all[0];
}

/**
 * The way to have the server read the file `path` again, as a clause. A credential is a copy that systemd makes when the service starts
 * (systemd.exec(5), LoadCredential=); a reload doesn't make another one.
 */
export function howToReadAgain(path: string): string {
  const isCredential = /^\/run\/(user\/\d+\/)?credentials\//.test(path);
  return isCredential
    ? "restart the service (sudo systemctl restart handoff), because systemd hands the file in only at its start"
    : "send SIGHUP (sudo systemctl reload handoff), or restart the server";
}

/** The first end of a certificate in the chain of `pair`, in epoch milliseconds; undefined when none says. */
export function findEnd(pair: TlsPair): number | undefined {
  const ends = certificatesIn(pair.cert).map((pem) => Date.parse(datesOf(pem).not_after));
  return ends.filter((end) => !Number.isNaN(end)).toSorted((a, b) => a - b)[0];
}

function datesOf(pem: string): Dates {
  const { validFrom, validTo } = new X509Certificate(pem);
  return { not_before: toTime(validFrom), not_after: toTime(validTo) };
}

/** A date as OpenSSL writes it, as RFC 3339; as it is when it's none. */
function toTime(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}
