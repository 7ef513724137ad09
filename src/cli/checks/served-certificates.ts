import { connect } from "node:tls";
import type { PeerCertificate } from "node:tls";
import { toIsoTime } from "../../contract/times.ts";
import { countOf } from "../terminal/counts.ts";
import { fine, warning } from "./findings.ts";
import type { Finding } from "./findings.ts";

const PATIENCE_MS = 5000;
const DAY_MS = 86_400_000;
/** A certificate that ends within this time should have been renewed. */
const SOON_MS = 14 * DAY_MS;
/** Unless more than a quarter of its lifetime is left: ACME clients renew when a third is. */
const LATE_PART = 4;

/** Checks the end of the certificate at `baseUrl`, which may be the proxy's. Returns nothing without one. */
export async function checkServedCertificate(baseUrl: string, now: number): Promise<Finding[]> {
  if (!baseUrl.startsWith("https:")) return [];
  const shown = await fetchCertificate(new URL(baseUrl));
  const [from, to] = [shown?.valid_from, shown?.valid_to].map((date) => Date.parse(date ?? ""));
  if (from === undefined || to === undefined || Number.isNaN(from) || Number.isNaN(to)) return [];
  const left = to - now;
  const text = `The certificate at ${baseUrl} ends in ${countOf(Math.floor(left / DAY_MS), "day")} (${toIsoTime(to)})`;
  if (left >= SOON_MS || left >= (to - from) / LATE_PART) return [fine("TLS", `${text}.`)];
  return [
    warning(
      "TLS",
      `${text}. Renew it, then have what serves it read it again: sudo systemctl reload nginx, caddy or handoff`,
    ),
  ];
}

function fetchCertificate({ hostname, port }: URL): Promise<PeerCertificate | undefined> {
  const host = hostname.replace(/^\[|\]$/g, "");
  // SNI takes names, not addresses.
  const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  return new Promise((resolve) => {
    // Only the dates matter here, and nothing is sent.
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...name });
    const finish = (found: PeerCertificate | undefined) => {
      resolve(found);
      socket.destroy();
    };
    socket.setTimeout(PATIENCE_MS, () => finish(undefined));
    socket.on("error", () => finish(undefined));
    socket.on("secureConnect", () => finish(socket.getPeerCertificate()));
  });
}
