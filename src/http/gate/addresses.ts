import { BlockList, isIP } from "node:net";
import { UserError } from "../../contract/user-errors.ts";
import type { TrustedProxies } from "../options.ts";

/** Stands for the address of a caller on the Unix socket. */
const UNIX_ADDRESS = "unix";

/** Parses addresses, CIDR ranges and `unix`. Throws UserError that names the first other value. */
export function parseTrustedProxies(values: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const value of values.filter((each) => each !== UNIX_ADDRESS)) {
    const [written = "", bits, ...rest] = value.split("/");
    const address = bits === undefined ? plainAddress(written) : written;
    const version = isIP(address);
    const family = version === 6 ? "ipv6" : "ipv4";
    const prefix = bits === undefined ? (version === 6 ? 128 : 32) : Number(bits);
    if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? "0") || prefix > (version === 6 ? 128 : 32)) {
      throw new UserError("usage", `'${value}' is no IP address, CIDR range or 'unix'`);
    }
    list.addSubnet(address, prefix, family);
  }
  return { list, unix: values.includes(UNIX_ADDRESS) };
}

/**
 * The address that a request comes from: the peer, or the last address in `X-Forwarded-For` that only trusted proxies
 * vouch for. `peer` is null on a Unix socket.
 */
export function clientAddress(peer: string | null, forwardedFor: string | null, trusted: TrustedProxies): string {
  return findClient(peer, forwardedFor, trusted).address;
}

/** The same, with `isNamed` true when a trusted proxy named it. */
function findClient(peer: string | null, forwardedFor: string | null, trusted: TrustedProxies) {
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim());
  let address = peer === null ? UNIX_ADDRESS : plainAddress(peer);
  let isNamed = false;
  while (isTrusted(address, trusted)) {
    const next = hops.pop();
    if (next === undefined || isIP(next) === 0) break;
    address = plainAddress(next);
    isNamed = true;
  }
  return { address, isNamed };
}

/** A request, and the server that knows its peer. */
export interface Received {
  readonly request: Request;
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null;
}

/** The address that a request comes from, as `clientAddress` finds it. */
export function addressOf(received: Received, trusted: TrustedProxies): string {
  return clientOf(received, trusted).address;
}

/** True when a trusted proxy named the address that a request comes from. */
export function isForwarded(received: Received, trusted: TrustedProxies): boolean {
  return clientOf(received, trusted).isNamed;
}

function clientOf({ request, server }: Received, trusted: TrustedProxies) {
  return findClient(server?.requestIP(request)?.address ?? null, request.headers.get("x-forwarded-for"), trusted);
}

/** The group by which failures are counted: an IPv4 address, or the /64 that an IPv6 customer usually has. */
export function addressGroup(address: string): string {
  const plain = plainAddress(address);
  return isIP(plain) === 6 ? `${groupsOf(plain).slice(0, 4).join(":")}::/64` : plain;
}

/**
 * `address` without a zone, which only means something on the machine that names it (RFC 4007), and as IPv4 where it is
 * an IPv4 address in IPv6 (RFC 4291, section 2.5.5.2), however it is written. Anything else stays as it is.
 */
function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const plain = address.replace(/%.*$/, "");
  const groups = groupsOf(plain);
  if (groups.slice(0, 5).some((group) => group !== "0") || groups[5] !== "ffff") return plain;
  return groups.slice(6).flatMap(bytesOf).join(".");
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
function groupsOf(address: string): string[] {
  const url = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = "", tail = ""] = url.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const middle = url.includes("::") ? Array<string>(8 - left.length - right.length).fill("0") : [];
  return [...left, ...middle, ...right];
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}

function isTrusted(address: string, trusted: TrustedProxies): boolean {
  if (address === UNIX_ADDRESS) return trusted.unix;
  return trusted.list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
