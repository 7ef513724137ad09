import { BlockList, isIP } from "node:net";
import { AdminError } from "../administration.ts";

// The addresses that webhooks may call. Every call resolves the admin's host name again, checks the addresses, and
// connects to a checked one.

/** The kinds of addresses: loopback, never called, and all others. */
export type AddressKind = "loopback" | "forbidden" | "ordinary";

type Network = readonly [network: string, bits: number];

/**
 * Networks that are never called: this network, link-local addresses and others where clouds hand out credentials,
 * multicast, and reserved ones.
 */
const FORBIDDEN_V4: readonly Network[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["192.0.0.192", 32],
  ["224.0.0.0", 3],
];
const FORBIDDEN_V6: readonly Network[] = [
  ["fe80::", 10],
  ["fec0::", 10],
  ["fd00:ec2::254", 128],
  ["fd20:ce::254", 128],
  ["ff00::", 8],
  // Networks whose addresses contain an IPv4 address: IPv4-compatible (RFC 4291), translated (RFC 2765), Teredo (RFC
  // 4380), and behind a local gateway (RFC 8215), which decides on the position of the IPv4 address.
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["2001::", 32],
  ["64:ff9b:1::", 48],
];
const LOOPBACK_V4: Network = ["127.0.0.0", 8];

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet(...LOOPBACK_V4, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

const FORBIDDEN = new BlockList();
for (const [network, bits] of FORBIDDEN_V6) FORBIDDEN.addSubnet(network, bits, "ipv6");
for (const [network, bits] of FORBIDDEN_V4) FORBIDDEN.addSubnet(network, bits, "ipv4");
// The same networks inside NAT64 (RFC 6052) and 6to4 (RFC 3056) addresses. Those like `::ffff:1.2.3.4` are checked as
// IPv4.
for (const [network, bits] of [...FORBIDDEN_V4, LOOPBACK_V4]) {
  FORBIDDEN.addSubnet(`64:ff9b::${network}`, 96 + bits, "ipv6");
  const [a = 0, b = 0, c = 0, d = 0] = network.split(".").map(Number);
  FORBIDDEN.addSubnet(`2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::`, 16 + bits, "ipv6");
}

/** The kind of an IP address in text form. Anything else is forbidden. */
export function kindOfAddress(text: string): AddressKind {
  const version = isIP(text);
  const family = version === 6 ? "ipv6" : "ipv4";
  if (version === 0) return "forbidden";
  if (LOOPBACK.check(text, family)) return "loopback";
  return FORBIDDEN.check(text, family) ? "forbidden" : "ordinary";
}

/** The host of a URL without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** True when the host of a URL is `localhost` or a loopback address. */
function namesLoopback(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || kindOfAddress(host) === "loopback";
}

/**
 * True when a call to `url` may connect to `address`, to which its host resolved. `isOwn` means that it is an address
 * of this machine. Without TLS nothing proves the receiver's identity: another name may then not lead to this machine,
 * and, unless `allowHttp`, nowhere else.
 */
export function mayCall(url: URL, address: string, allowHttp: boolean, isOwn: boolean): boolean {
  const kind = kindOfAddress(address);
  if (kind === "forbidden") return false;
  if (url.protocol === "https:") return true;
  const host = hostOf(url);
  if (namesLoopback(host)) return kind === "loopback";
  if (!allowHttp || kind === "loopback") return false;
  return isIP(host) > 0 || !isOwn;
}

const MAX_URL_LENGTH = 2000;
/**
 * A URL without anything that parsers silently drop or replace: blanks, invisible characters, backslashes, missing
 * slashes.
 */
const EXACT_URL = /^https?:\/\/[^\s\p{C}\\/][^\s\p{C}\\]*$/iu;

/** Parses the URL of a webhook. Throws AdminError for one that may not be called. */
export function parseWebhookUrl(text: string, allowHttp: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > MAX_URL_LENGTH || !EXACT_URL.test(text)) {
    throw new AdminError(
      `not a URL for a webhook: it begins with https:// and a host, has ${MAX_URL_LENGTH} characters at most, and no blanks or backslashes`,
      "usage",
    );
  }
  if (url.port === "0") throw new AdminError("a webhook's URL can't have port 0: nothing listens there", "usage");
  if (url.username || url.password || url.hash) {
    throw new AdminError(
      "a webhook's URL has no user, no password and no '#'; put a token into its path or query",
      "usage",
    );
  }
  const host = hostOf(url);
  if (url.protocol === "http:" && !allowHttp && !namesLoopback(host)) {
    throw new AdminError("http:// would tell everybody on the way: use https://, or add --allow-http", "usage");
  }
  if (isIP(host) > 0 && kindOfAddress(host) === "forbidden") {
    throw new AdminError(`'${host}' is an address that is never called: link-local, multicast or reserved`, "usage");
  }
  return url;
}
