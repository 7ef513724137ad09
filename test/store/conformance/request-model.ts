import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { RequestWithSubmissions } from "../../../src/domain/requests.ts";
import { Refusal } from "../../../src/domain/values/errors.ts";
import { MODEL_RUNS } from "../../support/model-runs.ts";
import { createRequestModel } from "../../support/request-model.ts";
import type { ModelRequest, RequestModel } from "../../support/request-model.ts";
import { requestsOf } from "../../support/requests.ts";
import { openTestRules } from "../../support/rules.ts";
import type { TestRules } from "../../support/rules.ts";
import type { OpenStore } from "../../support/stores.ts";

type Command = fc.AsyncCommand<RequestModel, TestRules>;

/** Acts on a request, in the model and in the store, and compares the outcomes. */
type Act = (request: ModelRequest, model: RequestModel, real: TestRules, now: number) => Promise<void>;

/** A command on one of the existing requests, chosen by a number; it doesn't run while there is none. */
function onRequest(name: string, act: Act): fc.Arbitrary<Command> {
  return fc.nat({ max: 50 }).map((pick) => ({
    check: (model) => model.requests.length > 0,
    toString: () => `${name}(${pick})`,
    async run(model, real) {
      const request = model.requests[pick % model.requests.length];
      if (request) await act(request, model, real, real.backend.service.clock.now());
      await checkInvariants(model, real);
    },
  }));
}

/** A command that can always run. */
function always(name: string, run: Command["run"]): Command {
  return { check: () => true, toString: () => name, run };
}

/** Resolves the outcome of `promise`: the code of its Refusal, or `describe` of its value. */
async function outcome<T>(promise: Promise<T>, describe: (value: T) => unknown): Promise<unknown> {
  try {
    return describe(await promise);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const view = ({ request, submissions }: RequestWithSubmissions) => {
  expect(request.submissionCount).toBe(submissions.length);
  return { state: request.state, submissions: submissions.map(({ secretId: id, state }) => ({ id, state })) };
};

function submitting(key: string | undefined, ciphertext?: string) {
  return onRequest(`submit ${key ?? "once"} ${ciphertext ?? ""}`, async (request, model, real, now) => {
    const content = ciphertext ?? crypto.randomUUID();
    const expected = model.submit(request, content, key, now);
    let made = "";
    const actual = await outcome(requestsOf(real).submit(request.submitToken, content, key), ({ secret, isReplay }) => {
      made = secret.id;
      return isReplay ? secret.id : undefined;
    });
    expect(actual).toEqual(typeof expected === "object" ? expected.id : expected);
    if (expected === undefined) model.submitted(request, made, content, key, now);
  });
}

async function ask(model: RequestModel, real: TestRules, most: number, minutes: number): Promise<void> {
  const note = `note-${crypto.randomUUID()}-`.repeat(1 + (model.requests.length % 100));
  const now = real.backend.service.clock.now();
  const asked = await requestsOf(real).ask({ note, maxSubmissions: most, expiresIn: minutes * 60 });
  model.ask(asked, note, most, now + minutes * 60_000);
}

const commands: fc.Arbitrary<Command>[] = [
  fc
    .record({ most: fc.integer({ min: 1, max: 3 }), minutes: fc.integer({ min: 1, max: 20 }) })
    .map(({ most, minutes }) =>
      always(`ask(${most}, ${minutes} min)`, async (model, real) => {
        await ask(model, real, most, minutes);
        await checkInvariants(model, real);
      }),
    ),
  submitting(undefined),
  submitting("one", "text"),
  submitting("one", "another-text"),
  onRequest("invitation", async (request, model, real, now) => {
    const expected = model.invitation(request, now);
    const described = await outcome(requestsOf(real).invitation(request.submitToken), ({ note, submissionsLeft }) => ({
      note: note?.ciphertext,
      left: submissionsLeft,
    }));
    expect(described).toEqual(expected);
  }),
  ...(["open", "paused"] as const).map((state) =>
    onRequest(state, async (request, model, real, now) => {
      const expected = model.turn(request, state, now);
      expect(await outcome(requestsOf(real).turn(request.id, state), view)).toEqual(expected);
    }),
  ),
  onRequest("revoke", async (request, model, real, now) => {
    const expected = model.revoke(request, now);
    expect(await outcome(requestsOf(real).revoke(request.id), view)).toEqual(expected);
  }),
  onRequest("find", async (request, model, real, now) => {
    const expected = model.find(request, now);
    expect(await outcome(requestsOf(real).find(request.id), view)).toEqual(expected);
  }),
  onRequest("claim", async (request, model, real, now) => {
    const id = request.submissions.at(-1)?.id;
    const expected = model.claim(request, now);
    if (id !== undefined)
      expect(await outcome(real.claim(id), ({ envelope }) => envelope.ciphertext)).toEqual(expected);
  }),
  fc
    .integer({ min: -30, max: 15 })
    .map((minutes) =>
      always(`advance(${minutes} min)`, async (_model, real) => real.place.time.advance(minutes * 60_000)),
    ),
  fc.constant(
    always("sweep", async (model, real) => {
      model.sweep(real.backend.service.clock.now());
      await real.sweep();
      await checkInvariants(model, real);
    }),
  ),
  fc.constant(
    always("restart", async (model, real) => {
      await real.restart();
      await checkInvariants(model, real);
    }),
  ),
];

/** Checks what must hold after every command. */
async function checkInvariants(model: RequestModel, real: TestRules): Promise<void> {
  const { notes, storedBytes, recountedBytes } = await real.place.look();
  const held = model.requests.filter(({ holdsNote }) => holdsNote);
  expect(notes).toEqual(held.map(({ id }) => id).toSorted());
  expect(storedBytes).toBe(recountedBytes);
  expect(await real.events()).toEqual(model.events);
}

export function describeRequestModel(open: OpenStore): void {
  test(
    "any sequence of creations, submissions, pauses, restarts and clock jumps matches the model",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: "max" }), async (sequence) => {
          await using real = await openTestRules(open);
          const model = createRequestModel();
          // With this request, even the commands of a short sequence can run.
          await ask(model, real, 2, 5);
          await fc.asyncModelRun(() => ({ model, real }), sequence);
          for (const { note, holdsNote } of model.requests) {
            expect(await real.place.holds(note.slice(0, 40))).toBe(holdsNote);
          }
        }),
        { numRuns: MODEL_RUNS },
      );
    },
    MODEL_RUNS * 10_000,
  );
}
