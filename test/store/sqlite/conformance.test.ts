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

test("what a statement costs depends on the rows that it is for, not on how many there are", async () => {
  await using place = await openUnderTest(openSqliteStorage());
  const { store } = place;
  // All other statements were prepared by the tests above.
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
  // Without a condition, all rows are for it, or as many as its limit says.
  const scans = plans.filter(({ text, plan }) => /^SCAN/m.test(plan) && text.includes(" where "));
  expect(scans).toEqual([]);
  // With a limit, rows have to come in their order; unless they are few: what is due, and what has the same token.
  const sorts = plans.filter(({ text, plan }) => plan.includes("TEMP B-TREE") && text.includes(" limit "));
  expect(sorts.filter(({ plan }) => !/(secrets_due|requests_due|requests_submit_token) /.test(plan))).toEqual([]);
  // Of a team, of a creator, about a ticket, and both, secrets and requests: those in any state, in one that lasts, in one that time ends, and
  // expired ones. Rows of another state are not looked at, as all may be of that, or of a creator so many.
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

/** Statements, and the steps in which SQLite runs each, a line for a step. */
function plansOf(texts: readonly string[]): { readonly text: string; readonly plan: string }[] {
  using folder = temporaryFolder();
  using database = openDatabase(folder.path);
  return [...new Set(texts)].map((text) => {
    const steps = database.query<{ readonly detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`).all();
    return { text, plan: steps.map(({ detail }) => detail).join("\n") };
  });
}
