import { isLoopback, parseBaseUrl } from "./base-urls.ts";
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
    const called = new URL(client.baseUrl);
    // Plain http on this machine is no leave to send somebody elsewhere by it.
    const allowHttp = called.protocol === "http:" && !isLoopback(called.hostname);
    const base = parseBaseUrl(url.slice(0, -end.length), allowHttp);
    const { host, pathname } = new URL(base);
    return host.length <= MAX_HOST_LENGTH && (pathname === "/" || PATH.test(pathname)) ? base : client.baseUrl;
  } catch {
    return client.baseUrl;
  }
}

/** The origin that a link leads to when it is not the one that was called; undefined when it is. */
export function otherOriginOf(client: Pick<HttpClient, "baseUrl">, link: string): string | undefined {
  const { origin } = new URL(link);
  return origin === new URL(client.baseUrl).origin ? undefined : origin;
}
