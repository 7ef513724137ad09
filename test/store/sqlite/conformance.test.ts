import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { REQUEST_STATES, SECRET_STATES } from "../../../src/contract/states.ts";
import { openDatabase } from "../../../src/store/sqlite/engine/database.ts";
import { openSqliteStorage } from "../../support/sqlite-storage.ts";
import { openUnderTest } from "../../support/stores.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { describeStore } from "../conformance/conformance.ts";

const prepare = spyOn(Database.prototype, "prepare");
describeStore("SQLite", () => openUnderTest(openSqliteStorage()));

test("the cost of a statement depends on the rows that it needs, not on the size of its tables", async () => {
  await using place = await openUnderTest(openSqliteStorage());
  const { store } = place;
  // The tests above have prepared all other statements.
  const choices = [{}, { createdBy: "c" }, { reference: "OPS-1" }, { createdBy: "c", reference: "OPS-1" }];
  for (const choice of choices) {
    const page = { teamId: "t", createdBy: undefined, limit: 1, before: undefined, ...choice };
    for (const state of [undefined, ...SECRET_STATES]) await store.listSecrets({ ...page, state });
    for (const state of [undefined, ...REQUEST_STATES]) await store.listRequests({ ...page, state });
  }
  await store.findIdentities("name", undefined);
  await store.listKeys("t");
  const plans = plansOf(
    prepare.mock.calls.map(([text]) => text).filter((text) => /^(select|update|delete)/.test(text)),
  );
  expect(plans.length).toBeGreaterThan(70);
  // A statement without a condition may scan: it needs all rows, or as many as its limit.
  const scans = plans.filter(({ text, plan }) => /^SCAN/m.test(plan) && text.includes(" where "));
  expect(scans).toEqual([]);
  // With a limit, rows must be read in order. Exceptions are due rows and rows with the same token, which are few.
  const sorts = plans.filter(({ text, plan }) => plan.includes("TEMP B-TREE") && text.includes(" limit "));
  expect(sorts.filter(({ plan }) => !/(secrets_due|requests_due|requests_submit_token) /.test(plan))).toEqual([]);
  // Lists by team, creator, ticket, and both, of secrets and requests: with any state, with a final one, with one that
  // expires, and with `expired`. They must not read rows of other states, nor an unbounded number of a creator's rows.
  const pages = plans.filter(({ text }) => text.includes("order by id desc limit"));
  expect(pages.length).toBe(2 * choices.length * 4);
  const searches = pages.flatMap(({ text, plan }) => plan.match(/^SEARCH .*/gm)?.map((step) => ({ text, step })) ?? []);
  const unbounded = searches.filter(
    ({ step }) =>
      !/\((team_id=\? AND state=\? AND id<\?|due_at<\?|(created_by|team_id=\? AND reference)=\? AND id>\? AND id<\?)\)/.test(
        step,
      ),
  );
  expect(unbounded).toEqual([]);
});

/** Returns statements with their query plans, one step per line. */
function plansOf(texts: readonly string[]): { readonly text: string; readonly plan: string }[] {
  using folder = temporaryFolder();
  using database = openDatabase(folder.path);
  return [...new Set(texts)].map((text) => {
    const steps = database.query<{ readonly detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all();
    return { text, plan: steps.map(({ detail }) => detail).join("\n") };
  });
}
