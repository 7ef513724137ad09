import { codeOf } from "../contract/error-traces.ts";
import { ClientError } from "./errors.ts";
import type { LocalCode } from "./errors.ts";

const REFUSED = new Set(["ConnectionRefused", "ECONNREFUSED", "FailedToOpenSocket", "EHOSTUNREACH", "ENETUNREACH"]);
const UNKNOWN_HOST = new Set(["ENOTFOUND", "EAI_AGAIN", "DNSException", "ERR_INVALID_URL"]);
const NO_TLS = new Set(["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"]);
const CERTIFICATE = /CERT|SIGNATURE|ISSUER|SELF_SIGNED|ALTNAME|^ERR_(TLS|SSL)|ERR_BORINGSSL/i;

/** True for the code of a certificate that isn't trusted. */
export function isDistrust(code: string): boolean {
  return CERTIFICATE.test(code) && !NO_TLS.has(code);
}

/** The code of a rejected `fetch`; empty when it has none. Node.js has its code in the cause. */
export function networkCodeOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined) ?? "";
}

/** Returns the error for a rejected `fetch`, without the original as its cause, which may quote the URL. */
export function toNetworkError(error: unknown, baseUrl: string): ClientError {
  if (error instanceof ClientError) return error;
  const code = networkCodeOf(error);
  const name = error instanceof Error ? error.name : "";
  if (name === "TimeoutError") return timedOut();
  if (code.startsWith("ERR_PROXY")) {
    return failed(
      "proxy_failed",
      "The proxy doesn't connect to the server.",
      "Check https_proxy, or list the server in no_proxy.",
    );
  }
  if (NO_TLS.has(code)) {
    const advice = "Check the port of the server URL. A server without TLS has a URL that begins with http://.";
    return failed("tls_failed", "Can't set up TLS: the server doesn't speak it on this port.", advice);
  }
  if (isDistrust(code)) {
    return failed("tls_untrusted", "Can't verify the server's certificate.", "Look at it in a browser.");
  }
  if (UNKNOWN_HOST.has(code))
    return failed("host_unknown", "Can't find the server.", "Check its URL and your connection.");
  if (REFUSED.has(code)) {
    return failed(
      "connection_failed",
      "Can't reach the server.",
      "Check that it's running, and that its URL is right.",
    );
  }
  const isPlain = baseUrl.startsWith("http:");
  const advice = isPlain ? "Try again. If the server uses TLS, its URL begins with https://." : "Try again.";
  return failed("connection_lost", "The connection to the server was lost.", advice);
}

/** The error for a server that took too long. */
export function timedOut(): ClientError {
  return failed("timed_out", "The server didn't answer in time.", "Try again.");
}

/** The error for a call that was aborted by its caller. */
export function interrupted(): ClientError {
  return new ClientError("interrupted", "interrupted", "Interrupted.");
}

function failed(code: LocalCode, meaning: string, advice: string): ClientError {
  return new ClientError(code, "network", { meaning, advice });
}
