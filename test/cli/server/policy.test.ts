import { expect, test } from "bun:test";
import { toServerPolicy } from "../../../src/cli/server/policy.ts";
import { loadSettings } from "../../../src/config/load.ts";
import { provesAddresses } from "../../../src/domain/server-policies.ts";

const OIDC = {
  oidcIssuer: "https://login.test",
  oidcClientId: "handoff",
  oidcAllow: ["email_domain=acme.test"],
  baseUrl: "https://handoff.test",
};
const MAIL = { smtpUrl: "smtp://localhost", mailFrom: "handoff@mail.test", baseUrl: "https://handoff.test" };

test("people sign in in the ways that the settings equip, and only with mail or a provider they prove addresses", () => {
  const policyOf = (flags: Readonly<Record<string, unknown>>) => {
    const policy = toServerPolicy(loadSettings(flags, {}));
    return [...policy.signInWays, provesAddresses(policy)];
  };
  expect(policyOf({})).toEqual(["link", "passkey", false]);
  expect(policyOf(OIDC)).toEqual(["link", "passkey", "oidc", true]);
  expect(policyOf(MAIL)).toEqual(["link", "passkey", "mail", true]);
  expect(policyOf({ ...MAIL, ...OIDC, signIn: "passkey" })).toEqual(["link", "passkey", true]);
  expect(policyOf({ ...OIDC, signIn: "link" })).toEqual(["link", false]);
});
