import { AdminError } from "./administration.ts";

// Where webhooks may lead. An admin names the address, and names are resolved anew for every call: what a name leads to is
// looked at each time, and the call goes to what was looked at.

/** The kinds of addresses: of this machine, those that are never called, and all others. */
export type AddressKind = "loopback" | "forbidden" | "ordinary";

/**
 * Networks that are never called: this network, link-local addresses, where clouds give credentials to whoever asks, their
 * like of other clouds, multicast, and what is reserved.
 */
const FORBIDDEN_V4: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["192.0.0.192", 32],
  ["224.0.0.0", 3],
];
const FORBIDDEN_V6: readonly (readonly [network: string, bits: number])[] = [
  ["::", 128],
  ["fe80::", 10],
  ["fd00:ec2::254", 128],
  ["fd20:ce::254", 128],
  ["ff00::", 8],
];
/** Addresses of IPv6 that stand for one of IPv4, and the byte at which that begins. */
const MAPPED: readonly (readonly [network: string, bits: number, from: number])[] = [
  ["::ffff:0:0", 96, 12],
  ["64:ff9b::", 96, 12],
  ["2002::", 16, 2],
];

/** The kind of an IP address, as it is written; what is none is forbidden. */
export function kindOfAddress(text: string): AddressKind {
  const bytes = parseAddress(text);
  return bytes === undefined ? "forbidden" : kindOf(bytes);
}

function kindOf(bytes: readonly number[]): AddressKind {
  if (bytes.length === 4) {
    if (bytes[0] === 127) return "loopback";
    return isIn(bytes, FORBIDDEN_V4) ? "forbidden" : "ordinary";
  }
  const mapped = MAPPED.find(([network, bits]) => isIn(bytes, [[network, bits]]));
  if (mapped) return kindOf(bytes.slice(mapped[2], mapped[2] + 4));
  if (isIn(bytes, [["::1", 128]])) return "loopback";
  return isIn(bytes, FORBIDDEN_V6) ? "forbidden" : "ordinary";
}

function isIn(bytes: readonly number[], networks: readonly (readonly [network: string, bits: number])[]): boolean {
  return networks.some(([network, bits]) => {
    const of = parseAddress(network) ?? [];
    return bytes.every((byte, at) => {
      const shift = 8 - Math.max(0, Math.min(8, bits - 8 * at));
      return byte >> shift === (of[at] ?? 0) >> shift;
    });
  });
}

/** The bytes of an address, 4 or 16; undefined when it is none. A zone is left out. */
function parseAddress(text: string): readonly number[] | undefined {
  const [plain = ""] = text.split("%");
  if (!plain.includes(":")) {
    const bytes = plain.split(".").map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : 256));
    return bytes.length === 4 && bytes.every((byte) => byte < 256) ? bytes : undefined;
  }
  // The last four bytes may be written as in IPv4.
  const [, dotted] = /:(\d+\.\d+\.\d+\.\d+)$/.exec(plain) ?? [];
  const last = dotted === undefined ? undefined : parseAddress(dotted);
  if (dotted !== undefined && !last) return undefined;
  const pair = (at: number) => (((last?.[at] ?? 0) << 8) | (last?.[at + 1] ?? 0)).toString(16);
  const hex = dotted === undefined ? plain : `${plain.slice(0, -dotted.length)}${pair(0)}:${pair(2)}`;
  const [head = "", tail, ...rest] = hex.split("::");
  if (rest.length > 0) return undefined;
  const groupsOf = (part: string | undefined) => (part ? part.split(":") : []);
  const [first, second] = [groupsOf(head), groupsOf(tail)];
  const missing = 8 - first.length - second.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...first, ...Array.from({ length: missing }, () => "0"), ...second];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
}

/** The host of a URL without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** True when the host of a URL is this machine by its very name, or by an address. */
function namesLoopback(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || kindOfAddress(host) === "loopback";
}

/**
 * True when a call to `url` may go to `address`, which its host has resolved to. Without TLS nothing proves who answers: a name
 * that is not this machine's may not lead into it then, and, unless `allowHttp`, nowhere else.
 */
export function mayCall(url: URL, address: string, allowHttp: boolean): boolean {
  const kind = kindOfAddress(address);
  if (kind === "forbidden") return false;
  if (url.protocol === "https:") return true;
  const isLoopback = kind === "loopback";
  return namesLoopback(hostOf(url)) ? isLoopback : allowHttp && !isLoopback;
}

const MAX_URL_LENGTH = 2000;

/** The URL of a webhook, as it is kept. Throws AdminError for what may not be called. */
export function parseWebhookUrl(text: string, allowHttp: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || text.length > MAX_URL_LENGTH || !/^https?:$/.test(url.protocol)) {
    throw new AdminError(
      `not a URL for a webhook: it begins with https:// and has ${MAX_URL_LENGTH} characters at most`,
    );
  }
  if (url.username || url.password || url.hash) {
    throw new AdminError("a webhook's URL has no user, no password and no '#'; put a token into its path or query");
  }
  const host = hostOf(url);
  if (url.protocol === "http:" && !allowHttp && !namesLoopback(host)) {
    throw new AdminError("http:// would tell everybody on the way: use https://, or add --allow-http");
  }
  const isAddress = /^[\d.]+$|:/.test(host);
  if (isAddress && kindOfAddress(host) === "forbidden") {
    throw new AdminError(`'${host}' is an address that is never called: link-local, multicast or reserved`);
  }
  return url;
}
