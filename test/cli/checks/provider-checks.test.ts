import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkProvider } from "../../../src/cli/checks/provider-checks.ts";
import { loadSettings } from "../../../src/config/load.ts";
import { makeCertificate, makeDatedCertificate, makeVouchedCertificate } from "../../support/certificates.ts";
import { startHostileProvider } from "../../support/hostile-providers.ts";
import type { Deviations } from "../../support/hostile-providers.ts";
import { startProvider } from "../../support/oidc-providers.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("it is said whether the provider of single sign-on answers, and what to enter there", async () => {
  await using provider = await startHostileProvider();
  const check = async (flags: Record<string, unknown> = {}, deviations: Deviations = {}) => {
    provider.deviate(deviations);
    const given = { oidcIssuer: provider.issuer, oidcClientId: "handoff", oidcAllow: ["groups=a"] };
    const settings = loadSettings({ ...given, baseUrl: "https://handoff.example/below", ...flags }, {});
    return (await checkProvider(settings)).map(({ level, text }) => `${level}: ${text}`).join();
  };
  const { issuer } = provider;
  const entered = "the redirect URI of this server has to be https://handoff.example/below/sign-in.";
  expect(await checkProvider(loadSettings({}, {}))).toEqual([]);
  expect(await check()).toBe(`ok: ${issuer} answers. At the provider, ${entered}`);
  // A server works without it, at its own URL.
  const unsaid = await check({ baseUrl: undefined });
  expect(unsaid).toStartWith(`warning: ${issuer} answers. At the provider,`);
  expect(unsaid).toEndWith("Give --base-url.");
  const broken = await check({ baseUrl: undefined }, { document: { issuer: "https://other.example" } });
  expect(broken).toStartWith(`failed: ${issuer} can't be used. The provider calls itself otherwise.`);
  expect(await check({ signIn: "link" })).toStartWith("warning: --sign-in leaves 'oidc' out");
  const documents: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ issuer: "https://other.example" }, "calls itself otherwise"],
    [{ response_types_supported: ["id_token"] }, "The provider has no authorization code flow."],
    [{ code_challenge_methods_supported: ["plain"] }, "The provider doesn't support PKCE with S256."],
    [{ jwks_uri: undefined }, "The provider doesn't say where its keys are."],
    [{ jwks_uri: `${issuer}/nowhere` }, "The provider doesn't answer as OpenID Connect says (ERR_JOSE_GENERIC)."],
  ];
  for (const [document, said] of documents) expect(await check({}, { document })).toContain(said);
  const closed = await check({ oidcIssuer: "http://127.0.0.1:1" });
  expect(closed).toBe(
    `failed: http://127.0.0.1:1 can't be used. Can't connect to 127.0.0.1:1. At the provider, ${entered}`,
  );
});

test("a client or secret that the provider refuses is named, and a certificate that isn't trusted", async () => {
  await using provider = await startProvider("https://handoff.example/sign-in", []);
  using folder = temporaryFolder();
  const check = async (oidcIssuer: string, oidcClientId: string, secret: string) => {
    const oidcClientSecretFile = join(folder.path, "secret");
    writeFileSync(oidcClientSecretFile, secret, { mode: 0o600 });
    const given = { oidcIssuer, oidcClientId, oidcClientSecretFile, oidcAllow: ["groups=a"] };
    const settings = loadSettings({ ...given, baseUrl: "https://handoff.example" }, {});
    return (await checkProvider(settings)).map(({ level, text }) => `${level}: ${text}`).join();
  };
  const { issuer, clientId, clientSecret } = provider;
  expect(await check(issuer, clientId, clientSecret)).toStartWith("ok: ");
  const refused = `failed: ${issuer} can't be used. The provider refuses the client ID or its secret. Check --oidc-cl`;
  expect(await check(issuer, clientId, "wrong")).toStartWith(refused);
  expect(await check(issuer, "other", clientSecret)).toStartWith(refused);
  for (const [make, said] of [
    [() => makeCertificate(folder.path), "is self-signed. To trust it, set NODE_EXTRA_CA_CERTS to a file with it."],
    [
      () => makeVouchedCertificate(folder.path, "localhost"),
      "has an unknown issuer. To trust it, set NODE_EXTRA_CA_CERTS",
    ],
    [() => makeDatedCertificate(folder.path, "20200101000000Z", "20210101000000Z"), "has expired."],
    [() => makeDatedCertificate(folder.path, "20900101000000Z", "20910101000000Z"), "isn't valid yet."],
  ] as const) {
    const { cert, key } = make();
    const tls = { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") };
    using server = Bun.serve({ port: 0, tls, fetch: () => new Response("") });
    const text = await check(`https://localhost:${server.port}`, "handoff", "secret");
    expect(text).toContain(`can't be used. The certificate of localhost:${server.port} ${said}`);
  }
});
