import { isLoopback, parseBaseUrl } from "./base-urls.ts";
import type { HttpClient } from "./http-client.ts";
import { membersOf } from "./shapes.ts";

// Long enough for the paths that proxies are set up with, too short for a sentence.
const PATH = /^(\/[\w.~-]{1,32}){0,4}$/;
const MAX_HOST_LENGTH = 253;

/** The terms of a new secret or request. */
export interface LinkTerms {
  /** Seconds. Without it, the server's default. */
  readonly ttlSeconds: number | undefined;
  /** The ticket that it is about. The server stores it unencrypted. */
  readonly reference?: string | undefined;
  /** True hides the signed-in person from those who hold the link. It changes nothing for an API key. */
  readonly isAnonymous?: boolean | undefined;
  /** The addresses that may use the link, and domains as `*@example.com`; undefined for everybody with it. */
  readonly addressees?: readonly string[] | undefined;
  /** The same key for every attempt to store it. Without it, a new one. */
  readonly idempotencyKey?: string;
}

/** The beginning of links: that of the `url` in `created` if it is valid, else the URL that was called. */
export function linkBase(client: HttpClient, created: unknown, end: string): string {
  const { url } = membersOf(created);
  if (typeof url !== "string" || !url.endsWith(end)) return client.baseUrl;
  try {
    const called = new URL(client.baseUrl);
    // Calling this machine by plain http doesn't permit http links to other machines.
    const allowHttp = called.protocol === "http:" && !isLoopback(called.hostname);
    const base = parseBaseUrl(url.slice(0, -end.length), allowHttp);
    const { host, pathname } = new URL(base);
    return host.length <= MAX_HOST_LENGTH && (pathname === "/" || PATH.test(pathname)) ? base : client.baseUrl;
  } catch {
    return client.baseUrl;
  }
}

/** The origin of a link; undefined when it is that of the URL that was called. */
export function otherOriginOf(client: Pick<HttpClient, "baseUrl">, link: string): string | undefined {
  const { origin } = new URL(link);
  return origin === new URL(client.baseUrl).origin ? undefined : origin;
}
