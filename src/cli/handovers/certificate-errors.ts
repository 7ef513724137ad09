import { ClientError } from "../../client/errors.ts";
import { isDistrust, networkCodeOf } from "../../client/network-errors.ts";

// Apart from the other errors of a network: browsers don't say such things to a page.

/** Returns the error for a `fetch` that was rejected for the server's certificate; undefined for other reasons. */
export function toCertificateError(error: unknown): ClientError | undefined {
  const code = networkCodeOf(error);
  if (!isDistrust(code)) return undefined;
  const [why, advice] = distrustOf(code);
  return new ClientError("tls_untrusted", "network", {
    meaning: `Can't verify the server's certificate: ${why}.`,
    advice,
  });
}

const OWN_AUTHORITY = "To trust a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its file.";

/** Why a certificate isn't trusted, by the code of OpenSSL and Node.js, and what to do. */
function distrustOf(code: string): readonly [why: string, advice: string] {
  if (code === "CERT_HAS_EXPIRED") return ["it has expired", "It has to be renewed at the server."];
  if (code === "CERT_NOT_YET_VALID") return ["it isn't valid yet", "Check this machine's clock."];
  if (code.includes("ALTNAME") || code === "HOSTNAME_MISMATCH") {
    return ["it is for another name", "Check the server URL, and which certificate the server has."];
  }
  if (/SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code)) return ["its issuer is unknown", OWN_AUTHORITY];
  return ["it has expired, is for another name, or its issuer is unknown", OWN_AUTHORITY];
}
