import { expect, test } from "bun:test";
import { takeBack } from "../../support/old-databases.ts";
import { openSqliteSecrets } from "../../support/sqlite-secrets.ts";

const MINUTE = 60_000;

test("events from before the index of a secret's events are found too", async () => {
  await using secrets = await openSqliteSecrets();
  const { clock } = secrets.backend;
  const { folder } = secrets;
  const make = async (maxClaims: number) => secrets.create("x", { max_claims: maxClaims });
  const [many, once, revoked] = [await make(3), await make(1), await make(1)];
  for (const { id } of [many, once, many]) {
    clock.advance(MINUTE);
    await secrets.claim(id);
  }
  clock.advance(MINUTE);
  await secrets.revoke(revoked.id);
  await secrets.backend.service.store.close();
  takeBack(folder, "0016_secret_events.sql");
  await secrets.backend.reopen();
  clock.advance(MINUTE);
  await secrets.claim(many.id);
  const { store } = secrets.backend.service;
  const typesOf = async (id: string) => {
    const secret = await store.findSecret(many.teamId, id);
    return secret && (await store.listSecretEvents(secret)).map(({ type }) => type);
  };
  const [created, claimed] = ["secret.created", "secret.claimed"] as const;
  expect(await typesOf(many.id)).toEqual([created, claimed, claimed, claimed]);
  expect(await typesOf(once.id)).toEqual([created, claimed]);
  expect(await typesOf(revoked.id)).toEqual([created, "secret.revoked"]);
});

test("a creation and the only claim of a secret write no entry of the index of its other events", async () => {
  await using secrets = await openSqliteSecrets();
  for (let n = 0; n < 5; n++) await secrets.claim((await secrets.create("x")).id);
  expect(secrets.query("SELECT count(*) AS count FROM events WHERE history_of IS NOT NULL")).toEqual([{ count: 0 }]);
  const { id } = await secrets.create("x", { max_claims: 2 });
  await secrets.claim(id);
  await secrets.claim(id);
  expect(secrets.query("SELECT history_of AS id FROM events WHERE history_of IS NOT NULL")).toEqual([{ id }]);
  const plan = secrets.query<{ detail: string }>("EXPLAIN QUERY PLAN SELECT * FROM events WHERE history_of = 'sec_1'");
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining("USING INDEX events_history")]);
});
