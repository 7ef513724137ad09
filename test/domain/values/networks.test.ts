import { expect, test } from "bun:test";
import { formatNetwork, hasHostBits, isInNetworks, parseNetwork } from "../../../src/domain/values/networks.ts";

const written = (text: string) => {
  const network = parseNetwork(text);
  return network && formatNetwork(network);
};

test("a network has one spelling, and a single address is one too", () => {
  for (const [text, cidr] of [
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.0.0.0/08", "10.0.0.0/8"],
    ["192.0.2.1", "192.0.2.1/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0::/32", "2001:db8::/32"],
    ["::1", "::1/128"],
    ["fe80::1%eth0", "fe80::1/128"],
    ["::ffff:192.0.2.1", "192.0.2.1/32"],
    ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
    ["::/0", "::/0"],
  ] as const) {
    expect([text, written(text)]).toEqual([text, cidr]);
  }
});

test("what is no address and no range is no network", () => {
  const texts = [
    "",
    "/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0/8",
    "010.0.0.1",
    "::/129",
  ];
  for (const text of [...texts, "10.0.0.0/8 ", "10.0.0.0/ 8", "10.0.0.0/255.0.0.0", "unix", "localhost", "*"]) {
    expect([text, parseNetwork(text)]).toEqual([text, undefined]);
  }
});

test("a range begins with its first address", () => {
  for (const [text, has] of [
    ["10.0.0.0/8", false],
    ["10.0.0.1/8", true],
    ["10.128.0.0/9", false],
    ["10.128.0.0/8", true],
    ["192.0.2.1/32", false],
    ["192.0.2.1/0", true],
    ["2001:db8::/32", false],
    ["2001:db8:0:0:1::/64", true],
    ["2001:db8::1/127", true],
    ["2001:db8::1/128", false],
    ["::ffff:10.0.0.1/104", true],
  ] as const) {
    const network = parseNetwork(text);
    expect([text, network && hasHostBits(network)]).toEqual([text, has]);
  }
});

test("an address is in a network to the bit, however it is written, and IPv4 in no network of IPv6", () => {
  const networks = "10.0.0.0/8 192.0.2.128/25 2001:db8::/33 fe80::/10";
  for (const [address, isIn] of [
    ["10.0.0.0", true],
    ["10.255.255.255", true],
    ["11.0.0.0", false],
    ["9.255.255.255", false],
    ["192.0.2.127", false],
    ["192.0.2.128", true],
    ["::ffff:10.1.2.3", true],
    ["::FFFF:a01:203", true],
    ["::ffff:11.0.0.0", false],
    ["2001:db8:7fff:ffff::", true],
    ["2001:db8:8000::", false],
    ["fe80::1%eth0", true],
    ["unix", false],
    ["", false],
  ] as const) {
    expect([address, isInNetworks(networks, address)]).toEqual([address, isIn]);
  }
  expect(isInNetworks("::/0", "10.0.0.1")).toBe(false);
  expect(isInNetworks("::/0", "::ffff:10.0.0.1")).toBe(false);
  expect(isInNetworks("::/0", "2001:db8::1")).toBe(true);
  expect(isInNetworks("0.0.0.0/0", "2001:db8::1")).toBe(false);
});
