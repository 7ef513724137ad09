import { expect, test } from "bun:test";
import { isLoopback, parseBaseUrl } from "../../src/client/base-urls.ts";
import { linkBase, otherOriginOf } from "../../src/client/link-bases.ts";
import { exampleId } from "../../src/contract/ids.ts";
import { createTestClient } from "../support/clients.ts";

test("a server URL is accepted as people write it, and loses its final slash", () => {
  for (const [text, url] of [
    ["https://handoff.example", "https://handoff.example"],
    [" HTTPS://Handoff.example:443// \n", "https://handoff.example"],
    ["https://example.com/below/it/", "https://example.com/below/it"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://127.0.0.53/", "http://127.0.0.53"],
    ["http://[::1]:1", "http://[::1]:1"],
  ] as const) {
    expect(parseBaseUrl(text, false)).toBe(url);
  }
});

test("plain http is refused for other machines unless it is allowed", () => {
  for (const host of ["handoff.example", "localhost.example", "127.0.0.1.example", "10.0.0.1", "[::2]", "128.0.0.1"]) {
    const parse = (allowHttp: boolean) => parseBaseUrl(`http://${host}`, allowHttp);
    expect(() => parse(false)).toThrow(expect.objectContaining({ code: "insecure_url", kind: "usage" }));
    expect(parse(true)).toBe(`http://${host}`);
    expect(isLoopback(host)).toBeFalse();
  }
});

test("an invalid server URL is refused without quoting it", () => {
  for (const [text, says] of [
    ["handoff.example", "must begin with"],
    ["ftp://handoff.example", "must begin with"],
    ["", "must begin with"],
    [`https://handoff.example/s/${exampleId("secret")}#1.hunter2`, "That's a link"],
    ["https://handoff.example/api/v1", "ends before /api"],
    ["https://ann:hunter2@handoff.example", "no user name"],
    ["https://handoff.example?hunter2", "nothing after ? or #"],
    ["https://handoff.example#hunter2", "nothing after ? or #"],
  ] as const) {
    const error = (() => {
      try {
        return parseBaseUrl(text, true);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect({ text, error }).toMatchObject({ text, error: { code: "invalid_url" } });
    expect(String(error)).toContain(says);
    expect(String(error)).not.toContain("hunter2");
  }
});

test("links begin with the URL that the server names, or with the called one when that isn't valid", () => {
  const called = "https://called.example";
  const end = `/s/${exampleId("secret")}`;
  const baseOf = (url: unknown, baseUrl = called) => linkBase(createTestClient({}, baseUrl), { url }, end);
  expect(baseOf(`https://handoff.example/below${end}`)).toBe("https://handoff.example/below");
  for (const url of [
    undefined,
    7,
    "https://handoff.example/s/another",
    `http://handoff.example${end}`,
    `https://ann@handoff.example${end}`,
    `https://handoff.example/Read this sentence${end}`,
    `https://handoff.example/${"a/".repeat(5)}b${end}`,
    `https://${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(20)}${end}`,
    `javascript:alert(1)//${end}`,
    end,
  ]) {
    expect({ url, base: baseOf(url) }).toEqual({ url, base: called });
  }
  expect(baseOf(`http://handoff.example${end}`, "http://called.example")).toBe("http://handoff.example");
  // Plain http without --allow-http.
  for (const here of ["http://127.0.0.1:8080", "http://localhost", "http://[::1]"]) {
    expect(baseOf(`http://handoff.example${end}`, here)).toBe(here);
    expect(baseOf(`https://handoff.example${end}`, here)).toBe("https://handoff.example");
  }
});

test("a link to another origin than the called one is recognized", () => {
  const client = createTestClient({}, "https://called.example/below");
  expect(otherOriginOf(client, "https://called.example/s/x#1.y")).toBeUndefined();
  expect(otherOriginOf(client, "https://handoff.example/below/s/x#1.y")).toBe("https://handoff.example");
  expect(otherOriginOf(client, "https://called.example:444/s/x")).toBe("https://called.example:444");
});
