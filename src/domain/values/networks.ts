import { BlockList, isIP } from "node:net";

/** The addresses that share their first `prefix` bits with `address`. A single address is a network too. */
export interface Network {
  readonly family: "ipv4" | "ipv6";
  readonly address: string;
  readonly prefix: number;
}

/** How many bits an IPv4 address in IPv6 has before its own (RFC 4291, section 2.5.5.2). */
const MAPPED_BITS = 96;

/** Parses an IP address or a CIDR range; undefined for anything else. IPv4 in IPv6 becomes IPv4. */
export function parseNetwork(text: string): Network | undefined {
  const [written = "", bits, ...rest] = text.split("/");
  const version = isIP(written);
  const most = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (version === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits ?? "0") || prefix > most) return undefined;
  if (version === 4) return { family: "ipv4", address: written, prefix };
  const plain = plainAddress(written);
  return isIP(plain) === 4 && prefix >= MAPPED_BITS
    ? { family: "ipv4", address: plain, prefix: prefix - MAPPED_BITS }
    : { family: "ipv6", address: withoutZone(written), prefix };
}

/** Writes a network as CIDR, each in one spelling (RFC 5952). */
export function formatNetwork({ family, address, prefix }: Network): string {
  return `${family === "ipv6" ? canonical(address) : address}/${prefix}`;
}

/** True unless the address of a network is its first one: `10.1.2.3/8` may be meant as a single address. */
export function hasHostBits({ family, address, prefix }: Network): boolean {
  const bytes = family === "ipv6" ? groupsOf(address).flatMap(bytesOf) : address.split(".").map(Number);
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.slice(prefix).includes("1");
}

/**
 * True when `address` is in one of `networks`, which have a space between them. IPv4 in IPv6 counts as IPv4. False for
 * what is no IP address, and no address is in what is no network.
 */
export function isInNetworks(networks: string, address: string): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  if (version === 0) return false;
  const family = version === 6 ? "ipv6" : "ipv4";
  const list = new BlockList();
  for (const network of networks.split(" ").map(parseNetwork)) {
    // The list takes IPv4 for a part of IPv6.
    if (network?.family === family) list.addSubnet(network.address, network.prefix, family);
  }
  return list.check(plain, family);
}

/**
 * `address` without a zone, which only means something on the machine that names it (RFC 4007), and as IPv4 where it is
 * an IPv4 address in IPv6, however it is written. Anything else stays as it is.
 */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const plain = withoutZone(address);
  // Most addresses aren't, and reading the groups takes long.
  if (!/^[0:]+ffff:/i.test(plain)) return plain;
  const groups = groupsOf(plain);
  if (groups.slice(0, 5).some((group) => group !== "0") || groups[5] !== "ffff") return plain;
  return groups.slice(6).flatMap(bytesOf).join(".");
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
export function groupsOf(address: string): string[] {
  const text = canonical(address);
  const [head = "", tail = ""] = text.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const middle = text.includes("::") ? Array<string>(8 - left.length - right.length).fill("0") : [];
  return [...left, ...middle, ...right];
}

/** An IPv6 address in its shortest spelling (RFC 5952). */
function canonical(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, "");
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}
