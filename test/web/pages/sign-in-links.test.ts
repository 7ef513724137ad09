import { afterEach, beforeEach, expect, test } from "bun:test";
import { encodeToken, TOKEN_ENTROPY_BYTES } from "../../../src/contract/tokens.ts";
import { forget } from "../../../src/web/browser/fragments.ts";
import { KEPT_AS, takeSignInLink } from "../../../src/web/pages/sign-in-links.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const TOKEN = encodeToken("person", new Uint8Array(TOKEN_ENTROPY_BYTES).fill(7));
const KEY = encodeToken("apiKey", new Uint8Array(TOKEN_ENTROPY_BYTES).fill(7));

let tab: TestTab;
beforeEach(() => void (tab = openTab()));
afterEach(async () => {
  await forget(KEPT_AS);
  tab[Symbol.dispose]();
});

const take = (fragment: string) => {
  tab.go(`https://handoff.example/sign-in${fragment}`);
  return takeSignInLink();
};

test("a whole link is removed from the address and kept for the tab, without punctuation behind it", () => {
  for (const end of ["", ".", "%20", "),", "%E2%80%9D"]) {
    expect(take(`#${TOKEN}${end}`)).toMatchObject({ fragment: TOKEN });
    expect(tab.address()).toBe("https://handoff.example/sign-in");
  }
  expect(take("")).toMatchObject({ fragment: TOKEN });
});

test("each fault of an incomplete link is named", () => {
  expect(take("")).toBe("missing");
  expect(take("#.")).toBe("missing");
  for (const length of [1, 4, 5, TOKEN.length - 1]) expect(take(`#${TOKEN.slice(0, length)}`)).toBe("cut");
  expect(take(`#${TOKEN}x`)).toBe("long");
  expect(take(`#${TOKEN}?utm_source=mail`)).toBe("long");
  expect(take(`#${TOKEN.replace(/.$/, (last) => (last === "a" ? "b" : "a"))}`)).toBe("mistyped");
  expect(take(`#${TOKEN.slice(0, 20)}x${TOKEN.slice(20)}`)).toBe("mistyped");
  expect(take(`#${KEY}`)).toBe("mistyped");
  expect(take("#1.abc")).toBe("mistyped");
});
