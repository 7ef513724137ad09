import type { EventRecord } from "../../../domain/ports/events.ts";
import type { MonotonicClock } from "../../../domain/values/clocks.ts";
import { createIds } from "../../../domain/values/ids.ts";
import { systemRandom } from "../../../domain/values/random.ts";
import { openDatabaseAgain } from "../engine/database.ts";
import { toErrorData } from "./errors.ts";
import type { Answer, Answers, Calls, FromThread, ToThread } from "./messages.ts";
import { openForWriting } from "./opening.ts";
import type { StoreOptions, StoreSettings } from "./options.ts";
import { pack, unpack } from "./packing.ts";
import { createParts } from "./parts.ts";
import { startResting } from "./rests.ts";
import { startWriting } from "./writing.ts";
import type { Writing } from "./writing.ts";

// The thread of a server's writer, so that only calls that write wait for the disk. `writer-threads.ts` is its other
// side.

declare const self: {
  addEventListener(type: "message", listener: (message: { readonly data: ToThread }) => void): void;
  postMessage(message: FromThread, transfer: ArrayBuffer[]): void;
};

let clock = createCallersClock();
/** The callers of pending calls, by the ids of the calls. */
const callers = new Map<number, { aborted: boolean }>();
let writing: Writing | undefined;
let stopResting = () => {};
let events: EventRecord[] = [];
let answers: Answer[] = [];
let isSending = false;

self.addEventListener("message", ({ data }) => receive(data));

function tell(message: FromThread, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer);
}

function receive(message: ToThread): void {
  if (typeof message === "string") return carryOut(unpack(message) as Calls);
  switch (message.kind) {
    case "open":
      // The time of an earlier store doesn't count any more.
      clock = createCallersClock();
      clock.raise(message.now);
      return open(message.settings);
    case "packed":
      return carryOut(unpack(message) as Calls);
    case "close":
      return void close();
  }
}

/** The time of the callers. It comes with their calls, and doesn't advance in between. */
function createCallersClock(): MonotonicClock {
  let latest = 0;
  return { now: () => latest, raise: (epochMs) => void (latest = Math.max(latest, epochMs)) };
}

function open(settings: StoreSettings): void {
  const onFailure: StoreOptions["onFailure"] = (work, error) =>
    tell({ kind: "failure", work, error: toErrorData(error) });
  const options = { ...settings, clock, ids: createIds(clock, systemRandom), onFailure };
  const onAbandon = (isReadable: boolean) => {
    stopResting();
    tell({ kind: "abandoned", isReadable });
  };
  // Sent with the answer to the call that caused it.
  const onEvent = (event: EventRecord) => void events.push(event);
  try {
    writing = openForWriting(settings, openDatabaseAgain, (opened) => {
      stopResting = startResting(opened.database);
      return startWriting(options, opened, { onEvent, onAbandon });
    });
    // For their operations.
    createParts(writing.context);
  } catch (error) {
    stopResting();
    tell({ kind: "not_opened", error: toErrorData(error) });
  }
}

function carryOut({ now, calls, abandoned: gone }: Calls): void {
  clock.raise(now);
  for (const { id, name, input } of calls) {
    const caller = { aborted: false };
    callers.set(id, caller);
    perform(name, input, caller).then(
      (value) => answer({ id, value }),
      (error: unknown) => {
        // Damage found on the way is a trouble.
        writing?.reads.note(error);
        answer({ id, error: toErrorData(error) });
      },
    );
  }
  for (const id of gone) {
    const caller = callers.get(id);
    if (caller) caller.aborted = true;
  }
}

function perform(name: string, input: unknown, caller: Pick<AbortSignal, "aborted">): Promise<unknown> {
  if (!writing) return Promise.reject(new Error("the database is not open"));
  if (name === "findTroubles" || name === "measure") return Promise.try<unknown>(writing[name]);
  return writing.context.operations.perform(name, input, caller);
}

function answer(settled: Answer): void {
  callers.delete(settled.id);
  answers.push(settled);
  sendSoon();
}

/** The answers of one COMMIT are sent in one message. */
function sendSoon(): void {
  if (isSending) return;
  isSending = true;
  queueMicrotask(send);
}

function send(): void {
  const { packed, moved } = pack({
    now: clock.now(),
    commits: writing?.reportCommits(),
    events,
    answers,
  } satisfies Answers);
  tell(packed, moved);
  events = [];
  answers = [];
  isSending = false;
}

async function close(): Promise<void> {
  stopResting();
  await writing?.close();
  // After the answers to pending calls.
  setImmediate(() => tell({ kind: "closed" }));
}
