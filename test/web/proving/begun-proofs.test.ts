import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import { findBegunProof, forgetBegunProof, keepBegunProof } from "../../../src/web/proving/begun-proofs.ts";
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
  forgetBegunProof(ID);
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

test("a begun proof is forgotten once it is complete", () => {
  keepBegunProof(ID, BEGUN);
  forgetBegunProof(ID);
  expect(findBegunProof(ID)).toBeUndefined();
});
