import { parseBaseUrl } from "./base-urls.ts";
import type { HttpClient } from "./http-client.ts";

/** What links begin with, as the server is set; the address that was called where it says nothing sensible. */
export function linkBase(client: HttpClient, url: unknown, end: string): string {
  if (typeof url !== "string" || !url.endsWith(end)) return client.baseUrl;
  try {
    return parseBaseUrl(url.slice(0, -end.length), client.baseUrl.startsWith("http:"));
  } catch {
    return client.baseUrl;
  }
}
