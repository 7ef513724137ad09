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
