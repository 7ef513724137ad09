import { BlockList, isIP } from "node:net";
import { UserError } from "../../contract/user-errors.ts";
import { groupsOf, parseNetwork, plainAddress } from "../../domain/values/networks.ts";
import type { TrustedProxies } from "../options.ts";

/** Stands for the address of a caller on the Unix socket. */
const UNIX_ADDRESS = "unix";

/** Parses addresses, CIDR ranges and `unix`. Throws UserError that names the first other value. */
export function parseTrustedProxies(values: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const value of values.filter((each) => each !== UNIX_ADDRESS)) {
    const network = parseNetwork(value);
    if (!network) throw new UserError("usage", `'${value}' is no IP address, CIDR range or 'unix'`);
    list.addSubnet(network.address, network.prefix, network.family);
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

function isTrusted(address: string, trusted: TrustedProxies): boolean {
  if (address === UNIX_ADDRESS) return trusted.unix;
  return trusted.list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
