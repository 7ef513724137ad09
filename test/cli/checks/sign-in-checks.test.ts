import { expect, test } from "bun:test";
import { checkPasskeys, checkTeams } from "../../../src/cli/checks/sign-in-checks.ts";

test("it is said whether there are passkeys, and which name they belong to", () => {
  const textOf = (baseUrl: string | undefined, signIn = "link,passkey") =>
    checkPasskeys({ baseUrl, signIn }).map(({ level, text }) => `${level}: ${text}`);
  expect(textOf(undefined)).toEqual([]);
  expect(textOf("https://handoff.example/below")).toEqual([
    "ok: People can use them. They belong to handoff.example, and work at no other name.",
  ]);
  for (const baseUrl of ["http://handoff.example", "https://192.0.2.7"]) {
    expect(textOf(baseUrl)).toEqual([
      "ok: There are none: browsers want HTTPS and a host name for them. See --base-url.",
    ]);
  }
  expect(textOf("https://handoff.example", "link")).toEqual(["ok: There are none: --sign-in leaves them out."]);
});

test("a team that a setting names and that isn't there is named, by every setting", () => {
  const teams = [{ id: "team_1", name: "ops" }];
  const found = (oidcTeam: string | undefined, ...signInDomain: string[]) =>
    checkTeams({ oidcTeam, signInDomain }, teams).map(({ level, text }) => `${level}: ${text.split(",")[0]}`);
  expect(found(undefined)).toEqual([]);
  expect(found("ops", "a.test=team_1", "b.test=ops")).toEqual([]);
  expect(found("dev", "a.test=ops", "b.test=qa=1")).toEqual([
    "failed: --oidc-team names 'dev'",
    "failed: --sign-in-domain names 'qa=1'",
  ]);
});
