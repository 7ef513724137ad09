import { expect, test } from "bun:test";
import { checkProvider } from "../../../src/cli/checks/provider-checks.ts";
import { loadSettings } from "../../../src/config/load.ts";
import { startHostileProvider } from "../../support/hostile-providers.ts";
import type { Deviations } from "../../support/hostile-providers.ts";

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
  expect(await check({ baseUrl: undefined })).toStartWith("failed: Give --base-url");
  expect(await check({ signIn: "link" })).toStartWith("warning: --sign-in leaves 'oidc' out");
  const documents: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ issuer: "https://other.example" }, "calls itself otherwise"],
    [{ response_types_supported: ["id_token"] }, "It has no authorization code flow."],
    [{ code_challenge_methods_supported: ["plain"] }, "It doesn't support PKCE with S256."],
    [{ jwks_uri: undefined }, "doesn't answer as a provider of OpenID Connect does (NO_KEYS)"],
    [{ jwks_uri: `${issuer}/nowhere` }, "doesn't answer as a provider of OpenID Connect does"],
  ];
  for (const [document, said] of documents) expect(await check({}, { document })).toContain(said);
  const closed = await check({ oidcIssuer: "http://127.0.0.1:1" });
  expect(closed).toBe(
    `failed: Can't reach http://127.0.0.1:1: people can't sign in there until this server can. At the provider, ${entered}`,
  );
});
