import { expect, test } from "bun:test";
import { checkPasskeys } from "../../../src/cli/checks/sign-in-checks.ts";

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
