import { expect, test } from "bun:test";
import { rememberPasskeyOffer, supportsPasskeys, wasPasskeyOffered } from "../../../src/web/browser/passkeys.ts";
import { openTab } from "../../support/tabs.ts";

test("a passkey is offered once to each person of a browser, also after it was reloaded", () => {
  using tab = openTab();
  expect(wasPasskeyOffered("idn_ann")).toBe(false);
  rememberPasskeyOffer("idn_ann");
  expect([wasPasskeyOffered("idn_ann"), wasPasskeyOffered("idn_bob")]).toEqual([true, false]);
  expect([...tab.local.keys()]).toEqual(["handoff passkey offered idn_ann"]);
  tab.refuseStorage();
  rememberPasskeyOffer("idn_bob");
  expect(wasPasskeyOffered("idn_bob")).toBe(false);
});

test("a browser without WebAuthn has no passkeys", () => {
  expect(supportsPasskeys()).toBe(false);
});
