import { expect, test } from "bun:test";
import { checkApprovers, checkPasskeys, checkTeamRules, checkTeams } from "../../../src/cli/checks/sign-in-checks.ts";

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

test("rules that ask for chosen people need a server where an address can be proven", () => {
  const teams = [
    { id: "team_1", name: "ops", requiresFor: true, approval: null, approvers: 0 },
    { id: "team_2", name: "dev", requiresFor: false, approval: null, approvers: 0 },
  ];
  const found = (settings: { readonly mailFrom?: string; readonly oidcIssuer?: string }) => {
    const all = { mailFrom: undefined, oidcIssuer: undefined, signIn: "link,oidc,mail", ...settings };
    return checkTeamRules(all, teams).map(({ level, text }) => `${level}: ${text.split(",")[0]}`);
  };
  expect(found({})).toEqual(["warning: The rules of 'ops' ask for chosen people"]);
  expect(found({ mailFrom: "handoff@mail.test" })).toEqual([]);
  expect(found({ oidcIssuer: "https://login.test" })).toEqual([]);
});

test("rules that ask for an approval need somebody who approves, and two where nobody approves their own", () => {
  const found = (approval: "sender" | "team" | null, approvers: number) =>
    checkApprovers([{ name: "ops", approval, approvers }]).map(({ level, text }) => `${level}: ${text}`);
  expect(found(null, 0)).toEqual([]);
  expect(found("sender", 0)).toEqual([expect.stringContaining("nobody there has the scope secrets:approve")]);
  expect(found("sender", 1)).toEqual([]);
  expect(found("team", 0)).toEqual([expect.stringContaining("nobody there has the scope secrets:approve")]);
  expect(found("team", 1)).toEqual([
    expect.stringMatching(/^warning: The rules of 'ops' .* only one there has the scope .* --lift approval$/),
  ]);
  expect(found("team", 2)).toEqual([]);
});
