import { ClientError } from "../../client/errors.ts";
import { isDistrust, networkCodeOf } from "../../client/network-errors.ts";
import { certificateFaultOf } from "../../domain/values/certificate-faults.ts";

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
  switch (certificateFaultOf(code)) {
    case "expired":
      return ["it has expired", "It has to be renewed at the server."];
    case "early":
      return ["it isn't valid yet", "Check this machine's clock."];
    case "name":
      return ["it is for another name", "Check the server URL, and which certificate the server has."];
    case "own":
    case "issuer":
      return ["its issuer is unknown", OWN_AUTHORITY];
    case undefined:
      return ["it has expired, is for another name, or its issuer is unknown", OWN_AUTHORITY];
  }
}
