import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { checkDates } from "../../../src/cli/server/certificate-dates.ts";
import { makeDatedCertificate } from "../../support/certificates.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("an expired certificate is said to be renewed in the way that has the server read it again", () => {
  using folder = temporaryFolder();
  const { cert, key } = makeDatedCertificate(folder.path, "20200101000000Z", "20210101000000Z");
  const pair = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
  const warningOf = (path: string) => {
    const warnings: string[] = [];
    checkDates(pair, path, Date.parse("2026-11-21"), { warn: (_, message) => void warnings.push(message) });
    expect(warnings).toHaveLength(1);
    return warnings[0];
  };
  const start = "the certificate has expired, and clients refuse it: renew it, then ";
  expect(warningOf("/etc/ssl/handoff.pem")).toBe(
    `${start}send SIGHUP (sudo systemctl reload handoff), or restart the server`,
  );
  // A copy that systemd has made: reading it again finds the same.
  for (const path of ["/run/credentials/handoff.service/tls.crt", "/run/user/1000/credentials/x.service/tls.crt"]) {
    expect(warningOf(path)).toStartWith(
      `${start}restart the service (sudo systemctl restart handoff), because systemd`,
    );
  }
});
