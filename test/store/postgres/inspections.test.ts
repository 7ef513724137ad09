import { expect, test } from "bun:test";
import type { EventType } from "../../../src/contract/states.ts";
import { inspect } from "../../../src/store/postgres/inspections.ts";
import { openOver, startPostgres } from "../../support/postgres.ts";
import { addSecret, addTeam } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

test("a webhook is behind by the events that it wants, and by no others", async () => {
  await using cluster = await startPostgres({ fsync: "off" });
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const teamId = await addTeam(place);
  const add = async (eventTypes: readonly EventType[] | null) => {
    const id = place.ids.next("webhook");
    const rest = { format: "standard", allowHttp: false, secret: null, createdAt: place.clock.now() } as const;
    await place.store.createWebhook({ id, teamId, url: "https://a.test/b", eventTypes, ...rest });
    return id;
  };
  const [every, created, claimed] = [await add(null), await add(["secret.created"]), await add(["secret.claimed"])];
  await addSecret(place, teamId);
  const { webhooks } = await inspect(connection, 0);
  const isBehind = Object.fromEntries(webhooks.map(({ id, behindSince }) => [id, behindSince !== null]));
  expect(isBehind).toEqual({ [every]: true, [created]: true, [claimed]: false });
  await place.store.close();
}, 60_000);
