import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import {
  findBegunProof,
  findProof,
  forgetProof,
  keepBegunProof,
  keepProof,
  toHeldProof,
} from "../../../src/web/proving/kept-proofs.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ID = exampleId("secret");
const BEGUN = { address: "ann@example.com", proofToken: "hpt_token" };

let tab: TestTab;
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  tab = openTab();
});
afterEach(() => {
  forgetProof(ID);
  tab[Symbol.dispose]();
  jest.useRealTimers();
});

test("a begun proof is found for its link alone, until its code has ended", () => {
  keepBegunProof(ID, BEGUN);
  expect(findBegunProof(ID)).toEqual(BEGUN);
  expect(findBegunProof(exampleId("request"))).toBeUndefined();
  jest.advanceTimersByTime(599_999);
  expect(findBegunProof(ID)).toEqual(BEGUN);
  jest.advanceTimersByTime(1);
  expect(findBegunProof(ID)).toBeUndefined();
});

test("a complete proof takes the place of the begun one, until it is used or has ended", async () => {
  keepBegunProof(ID, BEGUN);
  expect(findProof(ID)).toBeUndefined();
  keepProof(ID, BEGUN);
  expect(findBegunProof(ID)).toBeUndefined();
  expect(findProof(ID)).toEqual(BEGUN);
  const held = toHeldProof(ID, BEGUN);
  expect(findProof(ID)).toEqual(BEGUN);
  expect(await held.getToken()).toBe(BEGUN.proofToken);
  expect(findProof(ID)).toBeUndefined();
  expect(tab.stored.size).toBe(0);
  expect(await held.getToken()).toBe(BEGUN.proofToken);
  keepProof(ID, BEGUN);
  jest.advanceTimersByTime(600_000);
  expect(findProof(ID)).toBeUndefined();
  expect(tab.stored.size).toBe(0);
});

test("a begun proof is forgotten once it is complete", () => {
  keepBegunProof(ID, BEGUN);
  forgetProof(ID);
  expect(findBegunProof(ID)).toBeUndefined();
});
