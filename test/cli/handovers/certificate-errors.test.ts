import { expect, test } from "bun:test";
import { toCertificateError } from "../../../src/cli/handovers/certificate-errors.ts";

test("a certificate that isn't trusted is named for its fault, and only an unknown issuer for one of your own", () => {
  for (const [code, why, isAuthority] of [
    ["CERT_HAS_EXPIRED", "it has expired.", false],
    ["CERT_NOT_YET_VALID", "it isn't valid yet.", false],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "it is for another name.", false],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "its issuer is unknown.", true],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its issuer is unknown.", true],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "its issuer is unknown.", true],
    ["CERT_REJECTED", "it has expired, is for another name, or its issuer is unknown.", true],
  ] as const) {
    const { message } = toCertificateError(Object.assign(new Error("no"), { code })) ?? { message: "" };
    expect({ code, message }).toEqual({
      code,
      message: expect.stringContaining(`Can't verify the server's certificate: ${why}`),
    });
    expect({ code, isAuthority: message.includes("NODE_EXTRA_CA_CERTS") }).toEqual({ code, isAuthority });
  }
});
