import { X509Certificate } from "node:crypto";
import type { Settings } from "../../config/settings.ts";
import type { TlsPair } from "../../http/server.ts";
import { usageError } from "../terminal/terminal.ts";
import { certificatesIn } from "./certificates.ts";

type NameSettings = Pick<Settings, "baseUrl" | "tlsCert" | "trustedProxy">;

/**
 * Says that the server's own certificate isn't for the host of its base URL; undefined when it is. A proxy may reach
 * the server by another name, so it is undefined for a server behind one too.
 */
export function findNameFault(
  { cert }: TlsPair,
  { baseUrl, tlsCert = "", trustedProxy }: NameSettings,
): string | undefined {
  const [own] = certificatesIn(cert);
  if (baseUrl === undefined || trustedProxy.length > 0 || own === undefined) return undefined;
  const { hostname, protocol } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const certificate = new X509Certificate(own);
  const found = /^[\d.]+$|:/.test(host) ? certificate.checkIP(host) : certificate.checkHost(host);
  if (protocol !== "https:" || found !== undefined) return undefined;
  const names = certificate.subjectAltName?.replaceAll(/(DNS|IP Address):/g, "") ?? "no name";
  return `the certificate in '${tlsCert}' is for ${names}, and not for ${host} of the base URL, so clients refuse it: get one for that name, or set --base-url`;
}

/** Throws CommandError when there is such a fault. */
export function refuseOtherName(pair: TlsPair, settings: NameSettings): void {
  const fault = findNameFault(pair, settings);
  if (fault !== undefined) throw usageError(`--tls-cert: ${fault}`);
}
