import { afterAll, expect, test } from "bun:test";
import { OPERATIONS } from "../../../../src/domain/transactions/operations.ts";
import type { Operation } from "../../../../src/domain/transactions/operations.ts";
import type { Needs } from "../../../../src/domain/transactions/transaction.ts";
import { connectTo } from "../../../../src/store/postgres/engine/database.ts";
import { begin } from "../../../../src/store/postgres/engine/finding.ts";
import { createTransaction } from "../../../../src/store/postgres/engine/transaction.ts";
import { openOver } from "../../../support/postgres.ts";
import { sharedPostgres } from "../../../support/shared-postgres.ts";
import {
  addRequest,
  addSecret,
  addTeam,
  callOf,
  claim,
  newRequest,
  newSecret,
  REPLAY_MS,
  TOMBSTONE_MS,
} from "../../../support/stores.ts";
import type { WorkingStore } from "../../../support/stores.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

/** For each operation, inputs with which it finds everything that it needs. */
async function inputsOf(place: WorkingStore): Promise<Record<keyof typeof OPERATIONS, readonly unknown[]>> {
  const teamId = await addTeam(place);
  const { id } = await addSecret(place, teamId, { maxClaims: 2 });
  const { id: requestId } = await addRequest(place, teamId);
  const { id: claimedId } = await addSecret(place, teamId);
  await claim(place, { id: claimedId, teamId }, "claim");
  const { id: pausedId } = await addRequest(place, teamId);
  const by = { actorId: null, quotaBytes: 1_000_000 };
  await place.store.setRequestState(teamId, pausedId, { state: "paused", ...by });
  const { id: askedId } = await addSecret(place, teamId, { approval: "team" });
  const ask = { id: askedId, teamId, ask: { id: "ask_1", tokenHash: "00", words: "one two three", askerId: null } };
  await place.store.askApproval({ ...ask, address: undefined, quotaBytes: 1_000_000 });
  const call = callOf("another");
  const subject = { teamId, id, actorId: null };
  const claimInput = { ...subject, call: { ...call, replayUntil: place.clock.now() + REPLAY_MS } };
  return {
    createSecret: [newSecret(place, teamId, { call })],
    claimSecret: [claimInput, { ...claimInput, smallOnly: true }],
    acknowledgeClaim: [{ id: claimedId, claimDigest: callOf("claim").digest }],
    askApproval: [{ ...ask, address: undefined, quotaBytes: 1_000_000 }],
    decideAsk: [
      { teamId, id: askedId, askId: "ask_1", state: "approved", decider: { id: "idn_1", address: undefined } },
    ],
    setSecretTerms: [{ ...subject, expiresAt: undefined, maxClaims: 3, quotaBytes: 1_000_000 }],
    revokeSecret: [subject],
    expireSecret: [subject],
    createRequest: [newRequest(place, teamId, { call })],
    submitSecret: [{ ...newSecret(place, teamId, { call, requestId }), requestId }],
    setRequestState: [{ teamId, id: pausedId, state: "open", ...by }],
    revokeRequest: [{ ...subject, id: requestId }],
    expireRequest: [{ ...subject, id: requestId }],
  };
}

test("an operation whose needs leave out a key fails rather than take a stored row for absent", async () => {
  const connection = await cluster.makeDatabase();
  const place = await openOver(connection, createTestClock());
  const database = connectTo(connection);
  let failures = 0;
  try {
    for (const [name, inputs] of Object.entries(await inputsOf(place))) {
      const { needs, run } = OPERATIONS[name as keyof typeof OPERATIONS] as unknown as Operation<unknown, unknown>;
      const outcomeOf = async (input: unknown, named: Needs) => {
        using held = await database.hold();
        const found = await begin(held, [named], () => place.clock.now(), false);
        await held.run("ROLLBACK");
        try {
          return run(createTransaction(found, TOMBSTONE_MS), input);
        } catch (error) {
          return (error as Error).message;
        }
      };
      for (const input of inputs) {
        const all = needs?.(input) ?? {};
        const right = await outcomeOf(input, all);
        expect({ name, right }).not.toEqual({ name, right: NOT_NAMED });
        for (const left of Object.keys(all)) {
          const outcome = await outcomeOf(input, { ...all, [left]: [] });
          if (outcome === NOT_NAMED) failures += 1;
          // Some rows are found through others.
          else expect({ name, left, outcome }).toEqual({ name, left, outcome: right });
        }
      }
    }
  } finally {
    await database.close();
    await place.store.close();
  }
  expect(failures).toBe(25);
});

const NOT_NAMED = "an operation has looked for a row that its needs do not name";
