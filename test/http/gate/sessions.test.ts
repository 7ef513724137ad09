import { expect, test } from "bun:test";
import { checkOwnPage } from "../../../src/http/gate/sessions.ts";

const BASE_URL = "https://handoff.test";

/** True when a call with these headers is taken for one of our own page. */
function isOwn(method: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    checkOwnPage({ method, headers: new Headers(headers) } as Request, BASE_URL);
    return true;
  } catch {
    return false;
  }
}

test("a page at the base URL or at the called address is our own, and no other", () => {
  const host = "10.0.0.1:8080";
  expect(isOwn("POST", { host, origin: BASE_URL })).toBe(true);
  expect(isOwn("POST", { host, origin: `http://${host}` })).toBe(true);
  expect(isOwn("POST", { host, origin: "http://10.0.0.1" })).toBe(false);
  expect(isOwn("POST", { host, origin: "null" })).toBe(false);
});

test("a read without an origin is taken for one of our own page, a change is not", () => {
  expect(isOwn("GET", {})).toBe(true);
  expect(isOwn("HEAD", {})).toBe(true);
  expect(isOwn("POST", {})).toBe(false);
  expect(isOwn("DELETE", {})).toBe(false);
});

test("what the browser says of the site counts more than the origin", () => {
  expect(isOwn("GET", { "sec-fetch-site": "cross-site" })).toBe(false);
  expect(isOwn("POST", { "sec-fetch-site": "same-site", origin: BASE_URL })).toBe(false);
  expect(isOwn("POST", { "sec-fetch-site": "same-origin" })).toBe(true);
});
