import { expect, test } from "bun:test";
import { kindOfAddress, mayCall, parseWebhookUrl } from "../../../src/domain/webhooks/addresses.ts";

test("loopback and forbidden addresses are recognized, however they are written", () => {
  const loopback = ["127.0.0.1", "127.8.9.1", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"];
  const forbidden =
    "169.254.169.254 0.0.0.0 0.1.2.3 224.0.0.1 239.1.1.1 255.255.255.255 240.0.0.1 100.100.100.200 168.63.129.16 192.0.0.192 :: fe80::1 fe80::1%eth0 febf::1 ff02::1 fd00:ec2::254 fd20:ce::254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 64:ff9b::169.254.169.254 2002:a9fe:a9fe::1 64:ff9b::127.0.0.1 2002:7f00:1::1 64:ff9b::6464:64c8 64:ff9b:1::a9fe:a9fe 64:ff9b:1:a9fe:a9:fe00:: 64:ff9b:1:ffff::1 ::169.254.169.254 ::a9fe:a9fe ::127.0.0.1 ::8.8.8.8 ::2 ::ffff:0:169.254.169.254 ::ffff:0:7f00:1 2001:0:4136:e378:8000:63bf:5601:5601 2001::1 fec0::1 feff::1".split(
      " ",
    );
  const noAddresses = ["", "localhost", "1.2.3", "1.2.3.256", "1:2:3", "::1::", "12345::", ":::"];
  const ordinary = [
    "10.0.0.1",
    "192.168.1.1",
    "172.16.0.1",
    "203.0.113.5",
    "100.64.0.1",
    "fd00::1",
    "2001:db8::1",
    "2001:1::1",
    "64:ff9b::8.8.8.8",
    "64:ff9b:2::1",
    "::1:0:0:1",
  ];
  for (const each of loopback) expect({ each, kind: kindOfAddress(each) }).toEqual({ each, kind: "loopback" });
  for (const each of [...forbidden, ...noAddresses])
    expect({ each, kind: kindOfAddress(each) }).toEqual({ each, kind: "forbidden" });
  for (const each of ordinary) expect({ each, kind: kindOfAddress(each) }).toEqual({ each, kind: "ordinary" });
});

test("with TLS every address that isn't forbidden is called, because the certificate proves its owner", () => {
  const may = (address: string) => mayCall(new URL("https://hooks.example/"), address, false, false);
  expect(["203.0.113.5", "10.0.0.1", "127.0.0.1", "169.254.169.254"].map(may)).toEqual([true, true, true, false]);
});

test("without TLS this machine is called only by its own names, and others only with --allow-http", () => {
  const may = (url: string, address: string, allowHttp: boolean, isOwn = false) =>
    mayCall(new URL(url), address, allowHttp, isOwn);
  expect(may("http://localhost:1/", "127.0.0.1", false)).toBe(true);
  expect(may("http://[::1]:1/", "::1", false)).toBe(true);
  expect(may("http://localhost:1/", "203.0.113.5", true)).toBe(false);
  expect(may("http://hooks.example/", "203.0.113.5", false)).toBe(false);
  expect(may("http://hooks.example/", "203.0.113.5", true)).toBe(true);
  expect(may("http://hooks.example/", "127.0.0.1", true)).toBe(false);
  expect(may("http://hooks.example/", "169.254.169.254", true)).toBe(false);
  // Other addresses of this machine are refused too, unless the URL has the address itself.
  expect(may("http://hooks.example/", "192.0.2.7", true, true)).toBe(false);
  expect(may("http://192.0.2.7/", "192.0.2.7", true, true)).toBe(true);
  expect(may("http://192.0.2.7/", "192.0.2.7", false, true)).toBe(false);
  // URLs normalize this to 127.0.0.1; a name with a dot at its end is another name.
  expect(may("http://127.0.0.1.:1/", "127.0.0.1", false)).toBe(true);
  expect(may("http://localhost.:1/", "127.0.0.1", true)).toBe(false);
});

test("a webhook's URL is checked before it is stored", () => {
  const taken = ["https://hooks.example/a?b=c", "http://localhost:8000/", "http://127.0.0.1/", "http://[::1]:80/x"];
  for (const url of taken) expect(parseWebhookUrl(url, false).href).toBe(new URL(url).href);
  expect(parseWebhookUrl("http://hooks.example/", true).host).toBe("hooks.example");
  const refused = {
    "hooks.example": "not a URL",
    "ftp://hooks.example/": "not a URL",
    [`https://hooks.example/${"a".repeat(2000)}`]: "not a URL",
    "https://ann:secret@hooks.example/": "no user",
    "https://hooks.example/#a": "no user",
    "http://hooks.example/": "--allow-http",
    "https://169.254.169.254/latest": "never called",
    "https://0xa9fea9fe/": "never called",
    "https://[fe80::1]/": "never called",
    "https://[::169.254.169.254]/": "never called",
    "https://[fec0::1]/": "never called",
    "https://[64:ff9b:1::a9fe:a9fe]/": "never called",
    "https://hooks.example:0/": "port 0",
    "https:///hooks.example": "not a URL",
    "https:hooks.example": "not a URL",
    "https:\\\\hooks.example": "not a URL",
    "https://hooks.example\\@other.example/": "not a URL",
    " https://hooks.example/": "not a URL",
    "https://hooks.example/ ": "not a URL",
    "https://hooks.example/a b": "not a URL",
    "https://hooks.\nexample/": "not a URL",
    "https://hooks.example/\tx": "not a URL",
    "https://hooks\u00AD.example/": "not a URL",
    "https://hooks\u200B.example/": "not a URL",
  };
  for (const [url, message] of Object.entries(refused)) expect(() => parseWebhookUrl(url, false)).toThrow(message);
});
