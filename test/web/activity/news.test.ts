import { expect, test } from "bun:test";
import { Credential } from "../../../src/contract/credentials.ts";
import { Event } from "../../../src/contract/events.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { Secret } from "../../../src/contract/secrets.ts";
import type { PendingAsk } from "../../../src/contract/secrets.ts";
import type { Activity, ActivityItem } from "../../../src/web/activity/items.ts";
import { useAskNews, useRefusals } from "../../../src/web/activity/news.ts";
import type { Person } from "../../../src/web/service/clients.ts";
import { createTestClient, exampleOf } from "../../support/clients.ts";
import { untilQuiet, useHere } from "../hooks.ts";

const OTHER_ID = exampleId("secret").replace(/.$/, "0");

function itemFor(people: string[] | null): ActivityItem {
  return { kind: "sent", secret: exampleOf(Secret, { for: people }), label: "router", content: undefined };
}

function refusal(address: string | null, id = exampleId("secret")): Event {
  const actor = { kind: "link", id: null, address } as const;
  return exampleOf(Event, { type: "secret.proof_refused", secret_id: id, actor });
}

function personWith(pages: Event[][], scopes: Credential["scopes"] = ["events:read"]) {
  const client = createTestClient({
    listEvents: () => ({ data: pages.shift() ?? [], next_cursor: exampleId("event") }),
  });
  const person: Person = {
    client,
    credential: exampleOf(Credential, { scopes }),
    id: exampleId("identity"),
    ways: [],
    sendsMails: true,
  };
  return { person, client };
}

test("a refused proof is news where people were chosen, and nowhere else", async () => {
  const { person, client } = personWith([
    [],
    [refusal("eve@example.com"), refusal("eve@example.com", OTHER_ID), exampleOf(Event, { type: "secret.revoked" })],
    [refusal(null)],
  ]);
  let items: readonly ActivityItem[] | undefined;
  using news = useHere(() => useRefusals(person, items));
  await untilQuiet();
  expect(client.called()).toEqual([]);
  const show = async () => {
    items = [itemFor(["ann@example.com"])];
    news.redraw();
    await untilQuiet();
    return news.current()?.text;
  };
  expect(await show()).toBeUndefined();
  expect(await show()).toBe(
    "router: Someone with the link gave the address eve@example.com and didn't prove one of the chosen ones.",
  );
  expect(await show()).toBe("router: Someone with the link didn't prove one of the chosen addresses.");
  expect(client.calls.map(({ query }) => query?.["after"])).toEqual(["now", exampleId("event"), exampleId("event")]);
});

test("the events aren't asked for where nothing is for chosen people, or the person may not see them", async () => {
  const everyone = personWith([]);
  using one = useHere(() => useRefusals(everyone.person, [itemFor(null)]));
  const blind = personWith([], ["secrets:read"]);
  using other = useHere(() => useRefusals(blind.person, [itemFor(["ann@example.com"])]));
  await untilQuiet();
  expect([one.current(), other.current()]).toEqual([undefined, undefined]);
  expect([...everyone.client.called(), ...blind.client.called()]).toEqual([]);
});

function activityWith(...asks: readonly Partial<PendingAsk>[]): Activity {
  const items = [itemFor(null)];
  const whole = asks.map((ask) => ({ secret_id: exampleId("secret"), reference: null, ...ask }) as PendingAsk);
  return { items, asks: whole, limit: 50, hasMore: false, ticket: undefined, askedAt: 0 };
}

test("an ask for approval is news once, with its words", async () => {
  let activity: Activity | undefined;
  using news = useHere(() => useAskNews(activity));
  const show = async (...asks: readonly Partial<PendingAsk>[]) => {
    activity = activityWith(...asks);
    news.redraw();
    await untilQuiet();
    return news.current();
  };
  const [one, other] = [
    { id: "1", words: ["maple", "river", "nine"] },
    { id: "2", words: ["oak", "lake", "ten"], secret_id: OTHER_ID, reference: "OPS-1" },
  ];
  expect(await show()).toBeUndefined();
  const first = await show(one);
  expect(first?.text).toBe("Someone wants to open “router”: maple, river, nine.");
  const second = await show(one, other);
  expect(second?.text).toBe("Someone wants to open “Ticket OPS-1”: oak, lake, ten.");
  // Those that have gone are no news.
  expect(await show(other)).toBe(second);
  expect(await show()).toBe(second);
});
