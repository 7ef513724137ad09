import { linkKindOf } from "../contract/links.ts";
import { ClientError } from "./errors.ts";

const EXAMPLE = "It looks like https://handoff.example.";

/** Parses a server URL, and removes a final slash. http to other machines needs `allowHttp`. Throws ClientError. */
export function parseBaseUrl(text: string, allowHttp: boolean): string {
  const url = findUrl(text.trim());
  const complaint = complaintOf(url);
  if (!url || complaint !== undefined) throw new ClientError("invalid_url", "usage", `${complaint} ${EXAMPLE}`);
  if (url.protocol === "http:" && !allowHttp && !isLoopback(url.hostname)) {
    const meaning = "The server URL begins with http://, so anyone on the way could take the secret.";
    const advice = "Use https://, or allow it with --allow-http.";
    throw new ClientError("insecure_url", "usage", { meaning, advice });
  }
  return url.origin + withoutSlashes(url.pathname);
}

/** Parses a URL, which may be relative to `base`; null for an invalid one. Node.js 20 has no `URL.parse`. */
export function findUrl(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

/** Says what is wrong with a URL without quoting it, as it may have a password. Undefined for a valid one. */
function complaintOf(url: URL | null): string | undefined {
  if (!url || !/^https?:$/.test(url.protocol)) return "The server URL must begin with https:// or http://.";
  if (linkKindOf(url.pathname) !== undefined) return "That's a link, not the server URL.";
  if (/\/api(\/|$)/.test(url.pathname)) return "The server URL ends before /api.";
  if (url.username || url.password) return "The server URL has no user name and no password.";
  if (url.search || url.hash) return "The server URL has nothing after ? or #.";
  return undefined;
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** True when a host name, as `URL` writes it, is certainly this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
