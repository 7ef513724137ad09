import { expect, test } from "bun:test";
import type { EventRecord } from "../../../src/domain/ports/events.ts";
import { refusalOf } from "../../support/secrets.ts";
import {
  addRequest,
  addSecret,
  addTeam,
  claim,
  DAY,
  MINUTE,
  newRequest,
  newSecret,
  sweepAll,
} from "../../support/stores.ts";
import type { OpenStore } from "../../support/stores.ts";

export function describeEvents(open: OpenStore): void {
  test("listeners get every committed event in log order, and a list has only its own team's", async () => {
    await using place = await open();
    const [teamId, others] = [await addTeam(place), await addTeam(place, "others")];
    const received: EventRecord[] = [];
    const end = place.store.subscribe((event) => void received.push(event));
    const secret = await addSecret(place, teamId, { createdBy: "idn_1" });
    await claim(place, secret);
    await addSecret(place, others);
    end();
    await addSecret(place, others);
    const events = await place.store.listEvents(teamId, undefined, 10);
    expect(events.map(({ type, actorId }) => ({ type, actorId }))).toEqual([
      { type: "secret.created", actorId: "idn_1" },
      { type: "secret.claimed", actorId: null },
    ]);
    expect(events.map(({ actorKind, ...event }) => ({ actorKind, event }))).toEqual(
      received.slice(0, 2).map((event) => ({ actorKind: null, event })),
    );
    expect(received.slice(2)).toMatchObject([{ type: "secret.created", teamId: others }]);
    expect(await place.store.lastEventId(teamId)).toBe(events.at(-1)?.id ?? "");
    expect(await place.store.lastEventId("tea_nobody")).toBeUndefined();
  });

  test("a secret's events are complete and in order, whatever has happened to other secrets", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const expiresAt = place.clock.now() + 20 * MINUTE;
    const of = (maxClaims: number) => addSecret(place, teamId, { maxClaims, expiresAt });
    const [thrice, once, taken, left, unopened] = [await of(3), await of(1), await of(5), await of(2), await of(1)];
    const noise = async () => {
      for (let n = 0; n < 5; n++) await claim(place, await addSecret(place, teamId));
      place.time.advance(MINUTE);
    };
    for (const secret of [thrice, once, thrice, taken, left]) {
      await noise();
      await claim(place, secret);
    }
    await noise();
    await place.store.revokeSecret(teamId, taken.id, "idn_1");
    await noise();
    await claim(place, thrice);
    // No call has noticed the expiry of the others.
    place.time.advance(3 * DAY);
    await noise();
    await place.store.sweep(100);
    const typesOf = async ({ id }: { readonly id: string }) => {
      const secret = await place.store.findSecret(teamId, id);
      const events = secret ? await place.store.listSecretEvents(secret) : [];
      expect(new Set(events.map(({ secretId }) => secretId))).toEqual(new Set([id]));
      expect(events.map((event) => event.id)).toEqual(events.map((event) => event.id).toSorted());
      return events.map(({ type }) => type.replace("secret.", "")).join(" ");
    };
    expect(await typesOf(thrice)).toBe("created claimed claimed claimed");
    expect(await typesOf(once)).toBe("created claimed");
    expect(await typesOf(taken)).toBe("created claimed revoked");
    expect(await typesOf(left)).toBe("created claimed expired");
    expect(await typesOf(unopened)).toBe("created expired");
    await place.reopen();
    expect(await typesOf(thrice)).toBe("created claimed claimed claimed");
    const [first] = await place.store.listEvents(teamId, undefined, 1);
    const record = await place.store.findSecret(teamId, thrice.id);
    expect(record && (await place.store.listSecretEvents(record))[0]).toEqual(first);
  });

  test("a reader with a cursor misses nothing, even across restarts with a clock that jumps back", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const made: string[] = [];
    let cursor: string | undefined;
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 3; n++) made.push((await addSecret(place, teamId)).id);
      await place.reopen();
      const [first, second] = await place.store.listEvents(teamId, cursor, 2);
      const rest = await place.store.listEvents(teamId, second?.id, 100);
      expect([first, second, ...rest].map((event) => event?.secretId)).toEqual(made.slice(-3));
      cursor = rest.at(-1)?.id;
      place.time.jump(-DAY);
    }
  });

  test("event times never go backwards in the log, even for late calls, and match their IDs", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const short = place.clock.now() + MINUTE;
    const soon = await Promise.all([1, 2].map(() => addSecret(place, teamId, { expiresAt: short })));
    const asked = await addRequest(place, teamId, { expiresAt: short });
    // The calls begin in this order, and get their turn in reverse.
    const late = Array.from({ length: 5 }, () => {
      place.time.advance(1000);
      return { secret: newSecret(place, teamId), request: newRequest(place, teamId) };
    });
    for (const { secret, request } of late.toReversed()) {
      await place.store.createSecret(secret);
      await place.store.createRequest(request);
    }
    // Expiries come before everything that happens after they are noticed.
    place.time.advance(MINUTE);
    const busy = async (number: number) => {
      const secret = newSecret(place, teamId);
      place.time.advance(number % 3);
      await place.store.createSecret(secret);
      await claim(place, secret.record);
      await place.store.setRequestState(teamId, late[number % 5]?.request.record.id ?? "", {
        state: number % 2 === 0 ? "paused" : "open",
        actorId: null,
        quotaBytes: Infinity,
      });
    };
    const look = () => Promise.all(soon.map(({ id }) => place.store.findSecret(teamId, id)));
    await Promise.all([...Array.from({ length: 30 }, (_, number) => busy(number)), sweepAll(place), look()]);
    await place.reopen();
    await place.store.revokeSecret(teamId, late[0]?.secret.record.id ?? "", null);
    const events = await place.store.listEvents(teamId, undefined, 1000);
    const expired = events
      .filter(({ type }) => type.endsWith(".expired"))
      .map((each) => each.secretId ?? each.requestId ?? "");
    expect(expired.toSorted()).toEqual([...soon, asked].map(({ id }) => id).toSorted());
    const times = events.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times).toEqual(events.map(({ id }) => Math.floor(Number.parseInt(id.slice(4, 14), 32) / 4)));
  });

  test("the time never falls below one that was reported, even after a restart", async () => {
    await using place = await open();
    await addTeam(place);
    place.time.jump(DAY);
    const reported = place.clock.now();
    await place.store.keepTime(reported);
    place.time.jump(-DAY);
    await place.reopen();
    expect(place.clock.now()).toBeGreaterThanOrEqual(reported);
  });

  test("calls made before the close are carried out, and later ones are refused", async () => {
    await using place = await open();
    const teamId = await addTeam(place);
    const [early, late] = [newSecret(place, teamId), newSecret(place, teamId)];
    const { store } = place;
    const done = store.createSecret(early);
    const closed = store.close();
    expect(await refusalOf(store.createSecret(late))).toBe("storage_unavailable");
    expect(await done).toMatchObject({ kind: "created" });
    await closed;
    await place.reopen();
    expect(await place.store.findSecret(teamId, early.record.id)).toEqual(early.record);
    expect(await place.store.findSecret(teamId, late.record.id)).toBeUndefined();
  });

  test("a healthy store has no troubles", async () => {
    await using place = await open();
    place.time.advance(MINUTE);
    expect(await place.store.findTroubles()).toEqual([]);
  });
}
