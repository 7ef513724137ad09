import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { checkCertificate } from "../../../src/cli/checks/service-checks.ts";
import { findNameFault } from "../../../src/cli/server/certificate-names.ts";
import { loadSettings } from "../../../src/config/load.ts";
import { makeCertificate, makeVouchedCertificate } from "../../support/certificates.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { runHere } from "../../support/terminals.ts";

test("a certificate for another name than that of the base URL is refused by a check, with both names", async () => {
  using folder = temporaryFolder();
  const { cert, key } = makeVouchedCertificate(folder.path, "handoff.example");
  const pair = ["--tls-cert", cert, "--tls-key", key, "--listen", "127.0.0.1:0", "--data-dir", folder.path];
  const check = (...more: readonly string[]) => runHere(["serve", "--check", ...pair, ...more], {});
  const refused = await check("--base-url", "https://handoff.test");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(
    `--tls-cert: the certificate in '${cert}' is for handoff.example, and not for handoff.test of the base URL`,
  );
  expect((await check("--base-url", "https://handoff.example")).exitCode).toBe(0);
  expect((await check()).exitCode).toBe(0);
  // A proxy has a certificate of its own for clients.
  expect((await check("--base-url", "https://handoff.test", "--trusted-proxy", "10.0.0.1")).exitCode).toBe(0);

  const settings = loadSettings({ tlsCert: cert, tlsKey: key, baseUrl: "https://handoff.test" }, {});
  expect(checkCertificate(settings, Date.now())).toMatchObject([
    { check: "certificate", level: "failed", text: expect.stringContaining("not for handoff.test of the base URL") },
  ]);
});

test("an address in the base URL is looked for among the addresses of the certificate", () => {
  using folder = temporaryFolder();
  const { cert } = makeCertificate(folder.path);
  const pair = { cert: readFileSync(cert, "utf8"), key: "" };
  const faultAt = (baseUrl: string) => findNameFault(pair, { baseUrl, tlsCert: cert, trustedProxy: [] });
  expect(faultAt("https://127.0.0.1:8443")).toBeUndefined();
  expect(faultAt("https://localhost")).toBeUndefined();
  expect(faultAt("https://127.0.0.2")).toContain("not for 127.0.0.2 of the base URL");
  expect(faultAt("https://[2001:db8::1]")).toContain("not for 2001:db8::1 of the base URL");
  expect(faultAt("http://127.0.0.2")).toBeUndefined();
});
