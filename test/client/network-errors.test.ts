import { expect, test } from "bun:test";
import { toNetworkError } from "../../src/client/network-errors.ts";

test("a failure is named for its code, wherever the runtime has it", () => {
  const failureOf = (code: string, baseUrl = "https://handoff.example") => {
    const own = Object.assign(new Error("hunter2"), { code });
    // As Bun throws it, and as Node.js does.
    const codes = [own, new TypeError("fetch failed", { cause: own })].map((each) => {
      const error = toNetworkError(each, baseUrl);
      expect(`${error.message}${String(error.cause)}`).not.toContain("hunter2");
      return error.code;
    });
    expect(new Set(codes).size).toBe(1);
    return codes[0];
  };
  for (const [code, failure] of [
    ["ECONNREFUSED", "connection_failed"],
    ["ENOTFOUND", "host_unknown"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls_untrusted"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls_failed"],
    ["EPROTO", "tls_failed"],
    ["ECONNRESET", "connection_lost"],
  ] as const) {
    expect({ code, failure: failureOf(code) }).toEqual({ code, failure });
  }
});

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
    const { message } = toNetworkError(Object.assign(new Error("no"), { code }), "https://handoff.example");
    expect({ code, message }).toEqual({
      code,
      message: expect.stringContaining(`Can't verify the server's certificate: ${why}`),
    });
    expect({ code, isAuthority: message.includes("NODE_EXTRA_CA_CERTS") }).toEqual({ code, isAuthority });
  }
});
