import { parseBaseUrl } from "./base-urls.ts";
import type { HttpClient } from "./http-client.ts";
import { membersOf } from "./members.ts";

// Room for what a proxy is set up with, and none for a sentence.
const PATH = /^(\/[\w.~-]{1,32}){0,4}$/;
const MAX_HOST_LENGTH = 253;

/**
 * The beginning of links, as the server is set and says in the `url` of what it has `created`; the address that was
 * called where it says nothing sensible.
 */
export function linkBase(client: HttpClient, created: unknown, end: string): string {
  const { url } = membersOf(created);
  if (typeof url !== "string" || !url.endsWith(end)) return client.baseUrl;
  try {
    const base = parseBaseUrl(url.slice(0, -end.length), client.baseUrl.startsWith("http:"));
    const { host, pathname } = new URL(base);
    return host.length <= MAX_HOST_LENGTH && (pathname === "/" || PATH.test(pathname)) ? base : client.baseUrl;
  } catch {
    return client.baseUrl;
  }
}
