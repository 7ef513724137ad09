import { afterEach, beforeEach, expect, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import { formatSecretLink, parseSecretLink } from "../../../src/crypto/secret-links.ts";
import { forgetAll } from "../../../src/web/browser/fragments.ts";
import { takeLink } from "../../../src/web/browser/links.ts";
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

test("a link is put together from the address and what the tab keeps of it", () => {
  expect(take()).toMatchObject({
    link: { baseUrl: "https://handoff.example/below", id: ID, seed, needsPassphrase: false },
    kept: { until: null },
  });
  expect(tab.address()).not.toContain("#");
  expect(take()).toMatchObject({ link: { seed } });
  tab.go(linkOf(true));
  expect(take()).toMatchObject({ link: { needsPassphrase: true } });
  // One to something else is none to this.
  expect(takeLink(ID.replace(/.$/, "0"), parseSecretLink)).toBeUndefined();
  // With a slash that somebody has added.
  tab.go(linkOf().replace("#", "/#"));
  expect(take()).toMatchObject({ link: { id: ID, seed } });
});

test("what is wrong with a link is told apart: its end is missing, there is more, or a sign is wrong", () => {
  const faults: readonly (readonly [(link: string) => string, LinkFault | undefined])[] = [
    [(link) => link.slice(0, -1), "broken"],
    [(link) => link.slice(0, -20), "broken"],
    [(link) => link.replace(/#.*/, "#1"), "broken"],
    [(link) => `${link}.`, "long"],
    [(link) => `${link} and thanks for all of it`, "long"],
    [(link) => link.replace("#1.", "#9."), "mistyped"],
    [(link) => link.replace(/.{5}$/, "!$&"), "mistyped"],
    [(link) => link.replace(/#.*/, ""), undefined],
    [(link) => link.replace(/#.*/, "#"), undefined],
  ];
  for (const [spoil, fault] of faults) {
    const link = spoil(linkOf());
    tab.go(link);
    expect({ link, fault: take() }).toEqual({ link, fault });
    expect(tab.address()).not.toContain("#");
  }
});

test("a faulty link does not cost what a whole one has left in the tab", () => {
  take();
  tab.go(`${linkOf()}AAA`);
  expect(take()).toBe("long");
  expect(take()).toMatchObject({ link: { seed } });
});
