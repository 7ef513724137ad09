import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { SecretRecord } from "../../../src/domain/ports/secrets.ts";
import { Refusal } from "../../../src/domain/values/errors.ts";
import { MODEL_RUNS } from "../../support/model-runs.ts";
import { openTestRules } from "../../support/rules.ts";
import type { TestRules } from "../../support/rules.ts";
import { createModel } from "../../support/secret-model.ts";
import type { Model, ModelSecret } from "../../support/secret-model.ts";
import type { OpenStore } from "../../support/stores.ts";

type Command = fc.AsyncCommand<Model, TestRules>;

const ADDRESSES = { ann: "ann@a.test", eve: "eve@a.test" };
const PROOF_MS = 10 * 60_000;

/** A command on one of the existing secrets, chosen by a number; it doesn't run while there is none. */
function onSecret(
  name: string,
  act: (secret: ModelSecret, model: Model, real: TestRules) => Promise<void>,
): fc.Arbitrary<Command> {
  return fc.nat({ max: 50 }).map((pick) => ({
    check: (model) => model.secrets.length > 0,
    toString: () => `${name}(${pick})`,
    async run(model, real) {
      const secret = model.secrets[pick % model.secrets.length];
      if (secret) await act(secret, model, real);
      await checkInvariants(model, real);
    },
  }));
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

function termsOf({ state, claims, maxClaims, expiresAt }: SecretRecord) {
  return { state, claims, maxClaims, expiresAt };
}

/** `back` counts the asks from the last one: that one comes with the claim. */
function claiming(key: string | undefined, prover?: "ann" | "eve", back?: number) {
  const how = back === undefined ? "" : ` after ask -${back}`;
  return onSecret(`claim ${key ?? "once"} as ${prover ?? "nobody"}${how}`, async (secret, model, real) => {
    const proof = prover && secret.proofs.get(prover);
    const ask = back === undefined ? undefined : secret.everAsked.at(-back);
    const expected = model.claim(secret, key, real.backend.service.clock.now(), { prover, ask });
    const tokens = { proofToken: proof?.token, approvalToken: ask?.token };
    const actual = await outcome(real.claim(secret.id, key, tokens), (claim) => ({
      ciphertext: claim.envelope.ciphertext,
      claims: claim.secret.claims,
      state: claim.secret.state,
    }));
    expect(actual).toEqual(expected);
  });
}

const commands: fc.Arbitrary<Command>[] = [
  fc
    .record({
      maxClaims: fc.integer({ min: 1, max: 3 }),
      minutes: fc.integer({ min: 1, max: 20 }),
      isForAnn: fc.boolean(),
      approver: fc.constantFrom(undefined, "sender", "team"),
    })
    .map(({ maxClaims, minutes, isForAnn, approver }): Command => ({
      check: () => true,
      toString: () => `create(${maxClaims}, ${minutes} min${isForAnn ? ", for Ann" : ""}, approved by ${approver})`,
      async run(model, real) {
        const ciphertext = `text-${model.secrets.length}-${crypto.randomUUID()}-`.repeat(
          1 + (model.secrets.length % 200),
        );
        const people = { ...(isForAnn ? { for: ADDRESSES.ann } : {}), ...(approver ? { approval: approver } : {}) };
        const record = await real.create(ciphertext, { max_claims: maxClaims, expires_in: minutes * 60, ...people });
        model.create({ id: record.id, ciphertext, maxClaims, expiresAt: record.expiresAt, isForAnn, approver });
        await checkInvariants(model, real);
      },
    })),
  claiming(undefined),
  claiming("one"),
  claiming("two"),
  claiming("one", "ann"),
  claiming("three", "ann"),
  claiming("three", "eve"),
  ...(["ann", "eve"] as const).map((prover) =>
    onSecret(`prove ${prover}`, async (secret, _model, real) => {
      const until = real.backend.service.clock.now() + PROOF_MS;
      secret.proofs.set(prover, { token: await real.prove(secret.id, ADDRESSES[prover], until), until });
    }),
  ),
  claiming("four", undefined, 1),
  claiming("four", "ann", 1),
  claiming(undefined, "eve", 2),
  claiming(undefined, undefined, 1),
  ...([undefined, "ann", "eve"] as const).map((prover) =>
    onSecret(`ask as ${prover ?? "nobody"}`, async (secret, model, real) => {
      const { clock } = real.backend.service;
      const refusal = model.refusalOfAsk(secret, prover, clock.now());
      const asking = real.ask(secret.id, prover && secret.proofs.get(prover)?.token);
      const made = await asking.catch((error: unknown) => error);
      if (refusal !== undefined) return expect(made).toMatchObject({ code: refusal });
      if (made instanceof Error) throw made;
      const taken = made as Awaited<typeof asking>;
      expect(model.asked(secret, taken, prover, clock.now())).toBe(taken.id);
    }),
  ),
  ...(["sender", "colleague"] as const).flatMap((as) =>
    ([1, 2] as const).flatMap((back) =>
      (["approved", "approved", "refused"] as const).map((state) =>
        onSecret(`${as}: ${state} ask -${back}`, async (secret, model, real) => {
          const ask = secret.everAsked.at(-back);
          if (!ask) return;
          const expected = model.decide(secret, ask, { as, state }, real.backend.service.clock.now());
          const caller = as === "sender" ? real.caller : real.colleague;
          const decided = real.decide(caller, secret.id, { id: ask.id, state });
          expect(await outcome(decided, () => "decided")).toEqual(expected);
        }),
      ),
    ),
  ),
  onSecret("acknowledge one", async (secret, model, real) => {
    const expected = model.acknowledge(secret, "one", real.backend.service.clock.now());
    expect(await outcome(real.acknowledge(secret.id, "one"), () => "acknowledged")).toBe(expected);
  }),
  ...[1, 2, 3].map((maxClaims) =>
    onSecret(`allow ${maxClaims} claims`, async (secret, model, real) => {
      const expected = model.setTerms(secret, { maxClaims }, real.backend.service.clock.now());
      const actual = await outcome(real.setTerms(secret.id, { max_claims: maxClaims }), termsOf);
      expect(actual).toEqual(expected);
    }),
  ),
  ...[1, 10].map((minutes) =>
    onSecret(`let live for ${minutes} min`, async (secret, model, real) => {
      const before = real.backend.service.clock.now();
      const actual = await outcome(real.setTerms(secret.id, { expires_in: minutes * 60 }), termsOf);
      // The clock of a store may go on by itself, by as little as a call takes.
      const set = typeof actual === "object" && actual !== null && "expiresAt" in actual ? actual.expiresAt : undefined;
      const expiresAt = typeof set === "number" ? set : before + minutes * 60_000;
      expect(expiresAt - before - minutes * 60_000).toBeWithin(0, 60_000);
      expect(actual).toEqual(model.setTerms(secret, { expiresAt }, before));
    }),
  ),
  onSecret("revoke", async (secret, model, real) => {
    const expected = model.revoke(secret, real.backend.service.clock.now());
    expect(await outcome(real.revoke(secret.id), ({ state, claims }) => ({ state, claims }))).toEqual(expected);
  }),
  onSecret("find", async (secret, model, real) => {
    const expected = model.find(secret, real.backend.service.clock.now());
    expect(await outcome(real.find(secret.id), ({ state, claims }) => ({ state, claims }))).toEqual(expected);
  }),
  fc.integer({ min: -30, max: 15 }).map((minutes): Command => ({
    check: () => true,
    toString: () => `advance(${minutes} min)`,
    run: async (_model, real) => real.place.time.advance(minutes * 60_000),
  })),
  fc.constant<Command>({
    check: () => true,
    toString: () => "sweep",
    async run(model, real) {
      model.sweep(real.backend.service.clock.now());
      while (await real.backend.service.store.sweep(2));
      await checkInvariants(model, real);
    },
  }),
  fc.constant<Command>({
    check: () => true,
    toString: () => "restart",
    async run(model, real) {
      const { latestAt } = await real.place.look();
      await real.restart();
      expect(real.backend.service.clock.now()).toBeGreaterThan(latestAt);
      await checkInvariants(model, real);
    },
  }),
];

/** Checks what must hold after every command. */
async function checkInvariants(model: Model, real: TestRules): Promise<void> {
  const { ciphertexts, storedBytes, recountedBytes } = await real.place.look();
  const held = model.secrets.filter((secret) => secret.held);
  expect(ciphertexts).toEqual(new Map(held.map(({ id, ciphertext }) => [id, ciphertext.length])));
  expect(storedBytes).toBe(recountedBytes);
  expect(await real.events()).toEqual(model.events);
}

export function describeSecretModel(open: OpenStore): void {
  test(
    "any sequence of calls, restarts and clock jumps matches the model",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: "max" }), async (sequence) => {
          await using real = await openTestRules(open);
          const model = createModel();
          await fc.asyncModelRun(() => ({ model, real }), sequence);
          for (const { ciphertext, held } of model.secrets) {
            expect(await real.place.holds(ciphertext.slice(0, 40))).toBe(held);
          }
        }),
        { numRuns: MODEL_RUNS },
      );
    },
    MODEL_RUNS * 10_000,
  );
}
