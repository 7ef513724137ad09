import { afterEach, beforeEach, expect, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import { formatSecretLink, parseSecretLink } from "../../../src/crypto/secret-links.ts";
import { forgetAll } from "../../../src/web/browser/fragments.ts";
import { findPastedLink, takeLink } from "../../../src/web/browser/links.ts";
import type { LinkFault } from "../../../src/web/browser/links.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ID = exampleId("secret");
const seed = new Uint8Array(16).fill(0xa5);
const linkOf = (needsPassphrase = false) =>
  formatSecretLink({ baseUrl: "https://handoff.example/below", id: ID, seed, needsPassphrase });
const take = () => takeLink(ID, parseSecretLink);

let tab: TestTab;
beforeEach(() => void (tab = openTab(linkOf())));
afterEach(async () => {
  await forgetAll();
  tab[Symbol.dispose]();
});

test("a link is rebuilt from the address and the fragment in the tab", () => {
  expect(take()).toMatchObject({
    link: { baseUrl: "https://handoff.example/below", id: ID, seed, needsPassphrase: false },
    kept: { until: null },
  });
  expect(tab.address()).not.toContain("#");
  expect(take()).toMatchObject({ link: { seed } });
  tab.go(linkOf(true));
  expect(take()).toMatchObject({ link: { needsPassphrase: true } });
  // A link of another kind does not count.
  expect(takeLink(ID.replace(/.$/, "0"), parseSecretLink)).toBeUndefined();
  // With an added slash.
  tab.go(linkOf().replace("#", "/#"));
  expect(take()).toMatchObject({ link: { id: ID, seed } });
});

test("the faults of a link are distinguished: its end is missing, there is more, or a character is wrong", () => {
  const faults: readonly (readonly [(link: string) => string, LinkFault | undefined])[] = [
    [(link) => link.slice(0, -1), "incomplete"],
    [(link) => link.slice(0, -20), "incomplete"],
    [(link) => link.replace(/#.*/, "#1"), "incomplete"],
    [(link) => `${link}AA`, "extra"],
    [(link) => `${link}&utm_source=mail`, "extra"],
    [(link) => `${link}.Thanks`, "extra"],
    [(link) => link.replace("#1.", "#9."), "newer_version"],
    [(link) => link.replace("#1.", "#!."), "mistyped"],
    [(link) => link.replace(/.{5}$/, "!$&"), "mistyped"],
    [(link) => link.replace(/.{5}$/, "%$&"), "mistyped"],
    [(link) => link.replace(/#.*/, ""), undefined],
    [(link) => link.replace(/#.*/, "#"), undefined],
    [(link) => link.replace("#", "%23"), "encoded"],
    [(link) => link.replace("#", "%2523"), "encoded"],
  ];
  for (const [spoil, fault] of faults) {
    const link = spoil(linkOf());
    tab.go(link);
    expect({ link, fault: take() }).toEqual({ link, fault });
    expect(tab.address()).not.toMatch(/#|23|paWl/);
  }
});

test("text behind a link in a message does not change the link, nor does a hint", () => {
  const first = take();
  const { kept } = first as { kept: { idempotencyKey: string } };
  for (const end of [".", ")", ">", "%20and%20thanks", "%3E.", ".t", ".t3.", ".3%22%20said", ".later"]) {
    tab.go(`${linkOf()}${end}`);
    expect({ end, taken: take() }).toMatchObject({
      end,
      taken: { link: { id: ID, seed }, kept: { idempotencyKey: kept.idempotencyKey } },
    });
  }
  tab.go(`${linkOf()}.t3.`);
  expect(take()).toMatchObject({ link: { hint: { hasText: true, files: 3 } } });
  expect(take()).toMatchObject({ link: { hint: { hasText: true, files: 3 } } });
});

test("a link is found in pasted text, whatever surrounds it", () => {
  const whole = linkOf();
  for (const text of [whole, ` ${whole}\n`, `Here it is: <${whole}>. Bye`, whole.replace("#", "%23")]) {
    expect(findPastedLink(text)).toStartWith(whole);
  }
  // A link without its key is found, too, and reported as such.
  expect(findPastedLink(whole.replace(/#.*/, ""))).toBe(whole.replace(/#.*/, ""));
  for (const text of ["", "hello", "https://example.com/", "sec_1#1.key", "javascript:alert(1)"]) {
    expect(findPastedLink(text)).toBeUndefined();
  }
});

test("a faulty link does not discard a whole one that the tab keeps", () => {
  take();
  tab.go(`${linkOf()}AAA`);
  expect(take()).toBe("extra");
  expect(take()).toMatchObject({ link: { seed } });
});
