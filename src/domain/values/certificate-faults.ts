/** The fault of a certificate that isn't trusted. `own` is one that vouches for itself. */
export type CertificateFault = "expired" | "early" | "name" | "own" | "issuer";

/** The fault behind a code of OpenSSL or Node.js, such as `CERT_HAS_EXPIRED`; undefined for any other code. */
export function certificateFaultOf(code: string): CertificateFault | undefined {
  if (code === "CERT_HAS_EXPIRED") return "expired";
  if (code === "CERT_NOT_YET_VALID") return "early";
  if (code.includes("ALTNAME") || code === "HOSTNAME_MISMATCH") return "name";
  if (code === "DEPTH_ZERO_SELF_SIGNED_CERT") return "own";
  return /SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code) ? "issuer" : undefined;
}

const TO_TRUST = "To trust it, set NODE_EXTRA_CA_CERTS";

/** The fault of the certificate of `host`, and what to do about it, in sentences. */
export function describeCertificateFault(fault: CertificateFault, host: string): string {
  const certificate = `The certificate of ${host}`;
  switch (fault) {
    case "expired":
      return `${certificate} has expired. It has to be renewed there.`;
    case "early":
      return `${certificate} isn't valid yet. Check this machine's clock.`;
    case "name":
      return `${certificate} is for another name.`;
    case "own":
      return `${certificate} is self-signed. ${TO_TRUST} to a file with it.`;
    case "issuer":
      return `${certificate} has an unknown issuer. ${TO_TRUST} to a file with the issuer's certificate.`;
  }
}
