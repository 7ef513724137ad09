import { ClientError } from "./errors.ts";

const REFUSED = new Set(["ConnectionRefused", "ECONNREFUSED", "FailedToOpenSocket", "EHOSTUNREACH", "ENETUNREACH"]);
const UNKNOWN_HOST = new Set(["ENOTFOUND", "EAI_AGAIN", "DNSException", "ERR_INVALID_URL"]);
const CERTIFICATE = /CERT|SIGNATURE|ISSUER|SELF_SIGNED|ALTNAME|^ERR_(TLS|SSL)|ERR_BORINGSSL/i;

/** What a rejected `fetch` means. The original is not passed on as a cause: it may quote the address. */
export function toNetworkError(error: unknown): ClientError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const name = error instanceof Error ? error.name : "";
  if (name === "TimeoutError") return timedOut();
  if (CERTIFICATE.test(code)) {
    return new ClientError(
      "tls_untrusted",
      "network",
      "The certificate of the server is not to be trusted: it has expired, is for another name, or is signed by somebody unknown. For a certificate authority of your own set NODE_EXTRA_CA_CERTS to its file.",
    );
  }
  if (UNKNOWN_HOST.has(code)) {
    return new ClientError("host_unknown", "network", "There is no server of that name. Check the address.");
  }
  if (REFUSED.has(code)) {
    return new ClientError(
      "connection_failed",
      "network",
      "The server cannot be reached. Is it running, and is the address right?",
    );
  }
  return new ClientError("connection_lost", "network", "The connection to the server was lost. Try again.");
}

/** The server took too long. */
export function timedOut(): ClientError {
  return new ClientError("timed_out", "network", "The server did not answer in time. Try again.");
}

/** Somebody, or a signal, wants no more of it. */
export function interrupted(): ClientError {
  return new ClientError("interrupted", "failure", "Interrupted.");
}
