import { expect, test } from "bun:test";
import { exampleId } from "../../../src/contract/ids.ts";
import { RequestSummary } from "../../../src/contract/requests.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import { describeItem, summarize } from "../../../src/web/activity/descriptions.ts";
import type { ActivityItem } from "../../../src/web/activity/items.ts";
import type { AskedRow } from "../../../src/web/service/asked.ts";
import { exampleOf } from "../../support/clients.ts";

const ENDED = "2020-11-21T09:30:00.000Z";

function asked(request: Partial<RequestSummary>, row: Partial<AskedRow> = {}): ActivityItem {
  const whole = exampleOf(RequestSummary, { id: exampleId("request"), ended_at: ENDED, ...request });
  const counts = { waiting: 0, opened: 0, expired: 0, revoked: 0 };
  return { kind: "asked", asked: { request: whole, ...counts, hasKey: true, note: "", ...row } };
}

const sent: ActivityItem = { kind: "sent", secret: exampleOf(Secret, { state: "available" }), label: "a\u202Eb" };

test("the end of a request is not shown as the time of an opening", () => {
  const whenOf = (item: ActivityItem) => describeItem(item).when;
  expect(whenOf(asked({ state: "fulfilled", submission_count: 1 }, { opened: 1 }))).toMatch(/^Handed in \S.*2020/);
  expect(whenOf(asked({ state: "revoked", submission_count: 1 }, { opened: 1 }))).toBe("");
  expect(whenOf(asked({ state: "expired", submission_count: 2 }, { opened: 1, expired: 1 }))).toBe("");
  expect(whenOf(asked({ state: "revoked", submission_count: 0 }))).toMatch(/2020/);
});

test("waiting items are counted only once everything is loaded", () => {
  const items = [sent, asked({ state: "fulfilled", submission_count: 1 }, { waiting: 1 })];
  const whole = { all: false, sent: false, asked: false, ticket: false };
  expect(summarize({ items, hasMore: whole })).toBe("1 to collect, 1 waiting");
  expect(summarize({ items, hasMore: { ...whole, all: true } })).toBe("1 to collect");
  expect(summarize({ items: [sent], hasMore: { ...whole, all: true } })).toBeUndefined();
});

test("a private name is shown without characters that change the direction of writing", () => {
  expect(describeItem(sent).name).toBe("a\uFFFDb");
});
