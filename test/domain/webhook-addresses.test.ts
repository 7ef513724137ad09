import { expect, test } from "bun:test";
import { kindOfAddress, mayCall, parseWebhookUrl } from "../../src/domain/webhook-addresses.ts";

test("addresses of this machine are told from those that are never called, however they are written", () => {
  const loopback = ["127.0.0.1", "127.8.9.1", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"];
  const forbidden =
    "169.254.169.254 0.0.0.0 0.1.2.3 224.0.0.1 239.1.1.1 255.255.255.255 240.0.0.1 100.100.100.200 168.63.129.16 192.0.0.192 :: fe80::1 fe80::1%eth0 febf::1 ff02::1 fd00:ec2::254 fd20:ce::254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 64:ff9b::169.254.169.254 2002:a9fe:a9fe::1 64:ff9b::127.0.0.1 2002:7f00:1::1 64:ff9b::6464:64c8".split(
      " ",
    );
  const noAddresses = ["", "localhost", "1.2.3", "1.2.3.256", "1:2:3", "::1::", "12345::", ":::"];
  const ordinary = ["10.0.0.1", "192.168.1.1", "172.16.0.1", "203.0.113.5", "100.64.0.1", "fd00::1", "2001:db8::1"];
  for (const each of loopback) expect({ each, kind: kindOfAddress(each) }).toEqual({ each, kind: "loopback" });
  for (const each of [...forbidden, ...noAddresses])
    expect({ each, kind: kindOfAddress(each) }).toEqual({ each, kind: "forbidden" });
  for (const each of ordinary) expect({ each, kind: kindOfAddress(each) }).toEqual({ each, kind: "ordinary" });
});

test("with TLS every address that is no forbidden one is called, because the certificate says whose it is", () => {
  const may = (address: string) => mayCall(new URL("https://hooks.example/"), address, false);
  expect(["203.0.113.5", "10.0.0.1", "127.0.0.1", "169.254.169.254"].map(may)).toEqual([true, true, true, false]);
});

test("without TLS this machine is called by its own names alone, and others only where that is allowed", () => {
  const may = (url: string, address: string, allowHttp: boolean) => mayCall(new URL(url), address, allowHttp);
  expect(may("http://localhost:1/", "127.0.0.1", false)).toBe(true);
  expect(may("http://[::1]:1/", "::1", false)).toBe(true);
  expect(may("http://localhost:1/", "203.0.113.5", true)).toBe(false);
  expect(may("http://hooks.example/", "203.0.113.5", false)).toBe(false);
  expect(may("http://hooks.example/", "203.0.113.5", true)).toBe(true);
  expect(may("http://hooks.example/", "127.0.0.1", true)).toBe(false);
  expect(may("http://hooks.example/", "169.254.169.254", true)).toBe(false);
});

test("a webhook's URL is checked before it is kept", () => {
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
  };
  for (const [url, message] of Object.entries(refused)) expect(() => parseWebhookUrl(url, false)).toThrow(message);
});
