import { afterEach, expect, jest, test } from "bun:test";
import type { Answer, Database } from "../../../src/store/postgres/engine/database.ts";
import { CLOCK } from "../../../src/store/postgres/engine/finding.ts";
import { createFeed } from "../../../src/store/postgres/events.ts";

afterEach(() => void jest.useRealTimers());

/** Returns rows of the log: those after `after`, up to `place`. */
const rowsUpTo = (after: number, place: number) =>
  Array.from({ length: place - after }, (_, index) => ({
    place: String(after + index + 1),
    id: `evt_${after + index + 1}`,
    kept_at: "0",
    team_id: "tea_x",
    type: "secret.created",
    created_at: "0",
    secret_id: null,
    request_id: null,
    actor_id: null,
    reference: null,
  })) as unknown as Answer;

test("an event that is announced during a read, but not in its result, is delivered too", async () => {
  const asked: { readonly after: number; readonly answer: (rows: Answer) => void }[] = [];
  let notify: (payload: string) => void = () => undefined;
  const read: Database["read"] = (_text, params) =>
    new Promise((answer) => void asked.push({ after: Number(params?.[0]), answer }));
  const listen: Database["listen"] = async (_channel, listener) => {
    notify = listener;
    return async () => undefined;
  };
  const nothing = () => undefined;
  const feed = createFeed({ read, listen } as Database, { onClock: nothing, report: nothing });
  const received: string[] = [];
  feed.subscribe(({ id }) => void received.push(id));
  feed.start(0);
  notify("2");
  notify("5");
  asked[0]?.answer(rowsUpTo(0, 2));
  while (asked.length < 2) await new Promise(setImmediate);
  expect(asked.map(({ after }) => after)).toEqual([0, 2]);
  asked[1]?.answer(rowsUpTo(2, 5));
  while (received.length < 5) await new Promise(setImmediate);
  expect(received).toEqual(["evt_1", "evt_2", "evt_3", "evt_4", "evt_5"]);
  await feed.close();
});

test("events that were committed before listening began, or resumed, are delivered once it does", async () => {
  // With fake timers, there is no polling.
  jest.useFakeTimers();
  let place = 2;
  const read: Database["read"] = async (text, params) =>
    text === CLOCK ? ([{ last_place: String(place) }] as unknown as Answer) : rowsUpTo(Number(params?.[0]), place);
  let listens = () => {};
  const listen: Database["listen"] = async (_channel, _listener, onListening) => {
    listens = onListening;
    return async () => undefined;
  };
  const nothing = () => undefined;
  const feed = createFeed({ read, listen } as Database, { onClock: nothing, report: nothing });
  const received: string[] = [];
  feed.subscribe(({ id }) => void received.push(id));
  feed.start(0);
  for (const last of [2, 5]) {
    place = last;
    listens();
    while (received.length < last) await new Promise(setImmediate);
  }
  expect(received).toEqual(["evt_1", "evt_2", "evt_3", "evt_4", "evt_5"]);
  await feed.close();
});
