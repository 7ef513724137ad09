import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { peek } from "bun";
import { Credential } from "../../../src/contract/credentials.ts";
import { Event } from "../../../src/contract/events.ts";
import { exampleId } from "../../../src/contract/ids.ts";
import { SCOPES } from "../../../src/contract/scopes.ts";
import type { Person } from "../../../src/web/service/clients.ts";
import { ACTIVITY } from "../../../src/web/texts/activity.ts";
import { PAGE } from "../../../src/web/texts/page.ts";
import { createTestClient, exampleOf } from "../../support/clients.ts";
import { answerFetches } from "../../support/fetches.ts";
import { openTab } from "../../support/tabs.ts";
import type { TestTab } from "../../support/tabs.ts";
import { untilQuiet, useHere } from "../hooks.ts";

const OTHER_ID = exampleId("identity").replace(/.$/, "0");
const credentialOf = (id: string, name: string) =>
  exampleOf(Credential, { kind: "person", identity: { id, name }, scopes: [...SCOPES] });
const ann: Person = {
  client: createTestClient({}),
  credential: credentialOf(exampleId("identity"), "ann"),
  id: exampleId("identity"),
  ways: [],
  sendsMails: false,
};

/** A server as the page sees it: sessions, and streams of events. */
interface Site extends Disposable {
  /** The person who is signed in; undefined when nobody is. */
  credential: Credential | undefined;
  isAway: boolean;
  /** The `after` of each call for events. */
  readonly asked: (string | null)[];
  /** False when it has no streams, and calls wait instead. */
  hasStreams: boolean;
  /** The number of open streams, or waiting calls. */
  readonly waiting: () => number;
  /** Sends so many events to all of them. */
  readonly tell: (count: number) => void;
  /** Ends all streams. */
  readonly end: () => void;
}

let tab: TestTab;
let site: Site;
beforeEach(() => {
  jest.useFakeTimers();
  tab = openTab("https://handoff.example/below/");
  site = openSite();
});
afterEach(() => {
  tab[Symbol.dispose]();
  site[Symbol.dispose]();
  jest.useRealTimers();
});

/** The ID of the event with this number. */
function eventIdOf(number: number): string {
  return exampleId("event").slice(0, -4) + String(number).padStart(4, "0");
}

function openSite(): Site {
  let waiting: { readonly tell: (count: number) => void; readonly end: () => void }[] = [];
  let events = 0;
  const eventsOf = (count: number) =>
    Array.from({ length: count }, () => exampleOf(Event, { id: eventIdOf(++events) }));
  const page = (count: number) => Response.json({ data: eventsOf(count), next_cursor: exampleId("event") });
  const wait = (signal: AbortSignal | null | undefined, each: (typeof waiting)[number], onAbort: () => void) => {
    waiting.push(each);
    signal?.addEventListener("abort", () => {
      waiting = waiting.filter((other) => other !== each);
      onAbort();
    });
  };
  const stream = (signal: AbortSignal | null | undefined) => {
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const write = (text: string) => controller.enqueue(encoder.encode(text));
        write(`id: ${exampleId("event")}\n\n`);
        const tell = (count: number) =>
          eventsOf(count).forEach((event) => write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`));
        const aborted = new DOMException("aborted", "AbortError");
        wait(signal, { tell, end: () => controller.close() }, () => controller.error(aborted));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const opened: Omit<Site, keyof Disposable> = {
    credential: ann.credential,
    isAway: false,
    hasStreams: true,
    asked: [],
    waiting: () => waiting.length,
    tell(count) {
      const told = waiting;
      if (!opened.hasStreams) waiting = [];
      for (const each of told) each.tell(count);
    },
    end() {
      const ended = waiting;
      waiting = [];
      for (const each of ended) each.end();
    },
  };
  const fetches = answerFetches(({ origin, pathname, searchParams }, { signal, headers }) => {
    expect(`${origin}${pathname}`).toStartWith("https://handoff.example/below/app/");
    if (opened.isAway) throw Object.assign(new Error("refused"), { code: "ConnectionRefused" });
    if (!opened.credential) return Response.json({ code: "credential_missing" }, { status: 401 });
    if (!pathname.endsWith("/events")) return Response.json(opened.credential);
    opened.asked.push(searchParams.get("after"));
    const isStream = new Headers(headers).get("accept")?.startsWith("text/event-stream") === true;
    if (isStream && opened.hasStreams) return stream(signal);
    if (!searchParams.has("wait")) return page(0);
    return new Promise((resolve, reject) => {
      const tell = (count: number) => resolve(page(count));
      wait(signal, { tell, end: () => tell(0) }, () => reject(new DOMException("aborted", "AbortError")));
    });
  });
  const end = () => fetches[Symbol.dispose]();
  return Object.assign(opened, { [Symbol.dispose]: end });
}

/** A live value whose readings are numbered. */
async function follow(load?: () => Promise<number>, options: { readonly isNews?: boolean } = {}) {
  // Imported once there is an address, because the module listens to its own site at once.
  const { useLive } = await import("../../../src/web/service/live.ts");
  let reads = 0;
  const live = useHere(() => useLive(ann, load ?? (async () => ++reads), options));
  await untilQuiet();
  return live;
}

/** Advances the time in steps, so that calls can be answered. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 250) {
    jest.advanceTimersByTime(250);
    await untilQuiet();
  }
}

test("a value is read once, and again after an event", async () => {
  using live = await follow();
  await pass(1000);
  expect(live.current()).toMatchObject({ value: 1, problem: "" });
  expect(site.waiting()).toBe(1);
  site.tell(0);
  await pass(1500);
  expect(live.current().value).toBe(1);
  site.tell(3);
  await pass(1500);
  // Events that come together lead to one or two readings.
  expect(live.current().value).toBeLessThanOrEqual(3);
  expect(site.asked).toEqual(["now"]);
});

test("all values of a tab share one stream, which closes with the last of them", async () => {
  using first = await follow();
  await pass(1000);
  const second = await follow();
  await pass(1000);
  expect([first.current().value, second.current().value, site.waiting()]).toEqual([1, 1, 1]);
  site.tell(1);
  await pass(1500);
  expect([first.current().value, second.current().value]).toEqual([2, 2]);
  second[Symbol.dispose]();
  await untilQuiet();
  expect(site.waiting()).toBe(1);
  first[Symbol.dispose]();
  await untilQuiet();
  expect([site.waiting(), site.asked]).toEqual([0, ["now"]]);
});

test("a stream that ends is reopened, and events of the meantime lead to a reading", async () => {
  using live = await follow();
  await pass(1000);
  site.end();
  await pass(2500);
  expect(live.current()).toMatchObject({ value: 2, problem: "" });
  expect(site.waiting()).toBe(1);
  expect(site.asked).toEqual(["now", exampleId("event")]);
});

test("without streams, calls wait one after the other", async () => {
  site.hasStreams = false;
  using live = await follow();
  await pass(1500);
  expect(live.current()).toMatchObject({ value: 1, problem: "" });
  expect(site.waiting()).toBe(1);
  site.tell(1);
  await pass(1500);
  expect(live.current().value).toBe(2);
  expect(site.waiting()).toBe(1);
  expect(site.asked).toEqual(["now", "now", exampleId("event"), eventIdOf(1)]);
});

test("in a busy team a value is read once a second at most", async () => {
  using live = await follow();
  await pass(1000);
  for (let quarter = 0; quarter < 20; quarter++) {
    site.tell(1);
    await pass(250);
  }
  expect(live.current().value).toBeLessThanOrEqual(6);
  expect(live.current().value).toBeGreaterThan(3);
});

test("a hidden page asks nothing, and reads everything again when it is visible", async () => {
  using live = await follow();
  await pass(1000);
  tab.show(false);
  await pass(1000);
  expect(site.waiting()).toBe(0);
  const calls = site.asked.length;
  await pass(60_000);
  expect(site.asked).toHaveLength(calls);
  tab.show(true);
  await pass(1500);
  expect(live.current().problem).toBe("");
  expect(live.current().value).toBeGreaterThan(1);
  expect(site.waiting()).toBe(1);
});

test("news is polled once a minute while the page is hidden, and no call waits for it", async () => {
  using live = await follow(undefined, { isNews: true });
  await pass(1000);
  tab.show(false);
  await pass(59_000);
  expect([live.current().value, site.waiting()]).toEqual([1, 0]);
  await pass(2000);
  expect([live.current().value, site.waiting()]).toEqual([2, 0]);
  const calls = site.asked.length;
  await pass(61_000);
  // Nothing has happened.
  expect([live.current().value, site.waiting(), site.asked.length]).toEqual([2, 0, calls + 1]);
  tab.show(true);
  await pass(1500);
  expect(live.current().value).toBe(3);
  expect(site.waiting()).toBe(1);
});

test("people who may not see events get the value anew once a minute, and those without it get none", async () => {
  const { useLive } = await import("../../../src/web/service/live.ts");
  const blind = { ...ann, credential: { ...ann.credential, scopes: ["secrets:read" as const] } };
  let reads = 0;
  using live = useHere(() => useLive(blind, async () => ++reads));
  await pass(1000);
  expect(live.current()).toMatchObject({ value: 1, problem: "", stale: "" });
  await pass(58_000);
  expect(live.current().value).toBe(1);
  await pass(3000);
  expect([live.current().value, site.asked]).toEqual([2, []]);
  using off = useHere(() => useLive(blind, async () => ++reads, { isOff: true }));
  await pass(1000);
  await off.current().refresh();
  expect([off.current().value, off.current().problem, reads]).toEqual([undefined, "", 2]);
});

test("nothing is read while another person is signed in, and the page says so", async () => {
  site.credential = credentialOf(OTHER_ID, "bob");
  using live = await follow();
  await pass(1500);
  expect(live.current()).toMatchObject({ value: undefined, problem: PAGE.otherPerson("bob") });
  expect(site.waiting()).toBe(0);
});

test("after signing out nothing is read until a restart", async () => {
  using live = await follow();
  await pass(1000);
  site.credential = undefined;
  site.tell(1);
  await pass(2000);
  expect(live.current()).toMatchObject({ value: 1, problem: ACTIVITY.activity.signedOut });
  expect(site.waiting()).toBe(0);
  site.credential = ann.credential;
  live.current().restart();
  await pass(1500);
  expect(live.current().problem).toBe("");
  expect(live.current().value).toBeGreaterThan(1);
});

test("a server that is briefly away is asked again, and its values are read again", async () => {
  using live = await follow();
  await pass(1000);
  site.isAway = true;
  site.end();
  await pass(5000);
  expect(live.current()).toMatchObject({ value: 1, problem: "" });
  site.isAway = false;
  await pass(10_000);
  expect(live.current()).toMatchObject({ value: 2, problem: "" });
  expect(site.asked).toEqual(["now", exampleId("event")]);
});

test("the later of two readings is shown, whichever answer comes first", async () => {
  const answers: PromiseWithResolvers<number>[] = [];
  using live = await follow(() => {
    const answer = Promise.withResolvers<number>();
    answers.push(answer);
    return answer.promise;
  });
  await pass(1000);
  const refreshed = live.current().refresh();
  await untilQuiet();
  expect(answers).toHaveLength(2);
  answers[1]?.resolve(2);
  await refreshed;
  answers[0]?.resolve(1);
  await pass(250);
  expect(live.current().value).toBe(2);
});

test("a reading that a later one overtakes ends with that one", async () => {
  const answers: PromiseWithResolvers<number>[] = [];
  using live = await follow(() => {
    const answer = Promise.withResolvers<number>();
    answers.push(answer);
    return answer.promise;
  });
  await pass(1000);
  const first = live.current().refresh();
  await untilQuiet();
  void live.current().refresh();
  await untilQuiet();
  expect(answers).toHaveLength(3);
  answers[1]?.resolve(1);
  await untilQuiet();
  expect(peek.status(first)).toBe("pending");
  answers[2]?.resolve(2);
  await first;
  answers[0]?.resolve(0);
  await pass(250);
  expect(live.current().value).toBe(2);
});

test("nothing is read after the screen is left", async () => {
  const live = await follow();
  await pass(1000);
  expect(site.waiting()).toBe(1);
  live[Symbol.dispose]();
  await untilQuiet();
  expect(site.waiting()).toBe(0);
});
