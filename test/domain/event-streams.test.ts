import { expect, test } from "bun:test";
import { createEventStreams } from "../../src/domain/event-streams.ts";
import type { EventStore } from "../../src/domain/ports/events.ts";
import { until } from "../support/polls.ts";
import { openTestSecrets } from "../support/secrets.ts";

const STREAMS = 20;

test("streams at the same place of the log share its reads, and each gets every event once, in order", async () => {
  await using secrets = await openTestSecrets({ waitingCalls: STREAMS + 1 });
  const { service } = secrets.backend;
  let reads = 0;
  const listEvents: EventStore["listEvents"] = (...args) => {
    reads++;
    return service.store.listEvents(...args);
  };
  const streams = createEventStreams({ ...service, store: { ...service.store, listEvents } });
  const never = new AbortController().signal;
  const open = await Promise.all(Array.from({ length: STREAMS }, () => streams.open(secrets.caller, "now", never)));
  const got = open.map((): string[] => []);
  const follow = async (at: number) => {
    for (let events = await open[at]?.next(); events; events = await open[at]?.next()) {
      for (const { secretId } of events) got[at]?.push(String(secretId));
    }
  };
  const over = Promise.all(open.map((_, at) => follow(at)));
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) ids.push((await secrets.create(`fake-${n}`)).id);
  const late = await streams.open(secrets.caller, undefined, never);
  expect((await late.next())?.map(({ secretId }) => secretId)).toEqual(ids);
  await until(() => got.every(({ length }) => length >= ids.length));
  for (const each of [...open, late]) each.end();
  await over;
  for (const each of got) expect(each).toEqual(ids);
  // Each for itself, they would read five times as often.
  expect(reads).toBeLessThan(2 * STREAMS);
});
