import { afterEach, beforeEach, expect, test } from "bun:test";
import { ClientError } from "../../../src/client/errors.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { findKeptAsk, forgetAsk, isApprovalRequired, keepAsk } from "../../../src/web/opening/approvals.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";

const ID = exampleId("secret");
const ASK = { approvalToken: "hat_token", words: ["maple", "river", "nine"], until: "2026-11-21T10:30:00.000Z" };

let tab: TestTab;
beforeEach(() => void (tab = openTab()));
afterEach(() => {
  forgetAsk(ID);
  tab[Symbol.dispose]();
});

test("an ask is found for its secret alone, until it is forgotten", () => {
  keepAsk(ID, ASK);
  expect(findKeptAsk(ID)).toEqual(ASK);
  expect(findKeptAsk(exampleId("request"))).toBeUndefined();
  forgetAsk(ID);
  expect(findKeptAsk(ID)).toBeUndefined();
});

test("only a refusal for want of an approval says that a claim had no effect", () => {
  expect(isApprovalRequired(new ClientError("approval_required", "failure", ""))).toBe(true);
  expect(isApprovalRequired(new ClientError("proof_required", "failure", ""))).toBe(false);
  expect(isApprovalRequired(new Error("approval_required"))).toBe(false);
});
