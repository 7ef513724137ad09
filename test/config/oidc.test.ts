import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSingleSignOn } from "../../src/cli/server/single-sign-on.ts";
import { loadSettings } from "../../src/config/load.ts";
import { temporaryFolder } from "../support/temporary.ts";

const GIVEN = { oidcIssuer: "https://login.example/realms/acme", oidcClientId: "handoff", oidcAllow: ["groups=a b=c"] };

test("single sign-on is read from the settings, and half of it is refused with a sentence", () => {
  expect(readSingleSignOn(loadSettings({}, {}))).toBeUndefined();
  const { rules } = readSingleSignOn(loadSettings({ ...GIVEN, oidcTeam: "ops" }, {})) ?? {};
  expect(rules).toEqual({ allow: [{ claim: "groups", value: "a b=c" }], addressClaim: "email", team: "ops" });
  const complaintOf = (flags: Record<string, unknown>) => {
    try {
      loadSettings(flags, {});
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(complaintOf({ ...GIVEN, oidcClientId: undefined })).toContain("--oidc-issuer needs --oidc-client-id");
  expect(complaintOf({ ...GIVEN, oidcAllow: undefined })).toContain("lets nobody in without --oidc-allow");
  const without = { oidcClientId: "a", oidcClientSecretFile: "b", oidcTeam: "c", oidcAllow: ["d=e"] };
  for (const [id, value] of Object.entries(without))
    expect(complaintOf({ [id]: value })).toContain("needs --oidc-issuer");
  for (const oidcAllow of [["groups"], ["=a"], ["groups="]]) {
    expect(complaintOf({ ...GIVEN, oidcAllow })).toContain("expected claims with values");
  }
  for (const oidcIssuer of [
    "http://login.example",
    "http://localhost.evil.example",
    "http://127.0.0.1@evil.example",
    "https://ann@login.example",
    "https://login.example?a",
  ]) {
    expect(complaintOf({ ...GIVEN, oidcIssuer })).toContain("expected the https URL of a provider");
  }
  for (const oidcIssuer of [
    "http://127.0.0.1:8081",
    "http://[::1]/a",
    "http://localhost",
    "https://login.example:1/a/",
  ]) {
    expect(complaintOf({ ...GIVEN, oidcIssuer })).toBe("");
  }
});

test("the secret for the provider is one line of a file that others can't read", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "secret");
  const read = () => readSingleSignOn(loadSettings({ ...GIVEN, oidcClientSecretFile: path }, {}));
  expect(read).toThrow("there is no such file");
  writeFileSync(path, "s3cret\n");
  chmodSync(path, 0o644);
  expect(read).toThrow(`Others can read or change '${path}', which may have a secret in it. Run: chmod o-rw '${path}'`);
  const other = join(folder.path, "other");
  writeFileSync(other, "s3cret\n", { mode: 0o600 });
  expect(readSingleSignOn(loadSettings({ ...GIVEN, oidcClientSecretFile: other }, {}))).toBeDefined();
});
