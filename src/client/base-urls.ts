import { ClientError } from "./errors.ts";

/**
 * Reads the address of a server and returns it without a slash at the end. Plain http is taken for this machine only,
 * unless `allowHttp`. Throws ClientError.
 */
export function parseBaseUrl(text: string, allowHttp: boolean): string {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new ClientError("invalid_url", "usage", "The address of the server has to look like https://handoff.example");
  }
  if (url.protocol === "http:" && !allowHttp && !isLoopback(url.hostname)) {
    throw new ClientError(
      "insecure_url",
      "usage",
      "The address begins with http, so that anybody on the way could take the secret. Use https, or allow it with --allow-http.",
    );
  }
  return url.origin + withoutSlashes(url.pathname);
}

function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** Whether a host name, as `URL` writes it, is this machine for certain. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
