import { afterAll, expect, test } from "bun:test";
import { ACKNOWLEDGED } from "../../../../src/domain/secret-lifecycle.ts";
import { removeCall } from "../../../../src/domain/transactions/calls.ts";
import type { CallRow, Transaction } from "../../../../src/domain/transactions/transaction.ts";
import { connectTo } from "../../../../src/store/postgres/engine/database.ts";
import { isRetryable } from "../../../../src/store/postgres/engine/errors.ts";
import { begin } from "../../../../src/store/postgres/engine/finding.ts";
import { createTransaction } from "../../../../src/store/postgres/engine/transaction.ts";
import { commit } from "../../../../src/store/postgres/engine/writing.ts";
import { openOver } from "../../../support/postgres.ts";
import { sharedPostgres } from "../../../support/shared-postgres.ts";
import { addTeam, callOf, DAY, newSecret, sweepAll, TOMBSTONE_MS } from "../../../support/stores.ts";
import type { WorkingStore } from "../../../support/stores.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

const CHANGES: Readonly<Record<string, (tx: Transaction, call: CallRow) => void>> = {
  "is removed": removeCall,
  "is acknowledged": (tx, call) => tx.calls.setReplayUntil(call, ACKNOWLEDGED),
  "is replaced": (tx, call) => {
    removeCall(tx, call);
    tx.charge(call.teamId, tx.charges.call);
    tx.calls.add({ ...call, expiresAt: tx.now + DAY });
  },
};
const MEANWHILE: Readonly<Record<string, (place: WorkingStore, teamId: string) => Promise<unknown>>> = {
  "was made again": ({ store, ...rest }, teamId) =>
    store.createSecret(newSecret({ store, ...rest }, teamId, { call: callOf("key", "another") })),
  "was swept": sweepAll,
};

for (const [how, change] of Object.entries(CHANGES)) {
  for (const [what, meanwhile] of Object.entries(MEANWHILE)) {
    test(`a remembered call that ${how} although it ${what} since it was loaded is left as it is`, async () => {
      const connection = await cluster.makeDatabase();
      const time = createTestClock();
      const place = await openOver(connection, time);
      const { store } = place;
      const database = connectTo(connection);
      try {
        const teamId = await addTeam(place);
        const call = callOf("key");
        await store.createSecret(newSecret(place, teamId, { call, expiresAt: time.now() + 3 * DAY }));
        time.advance(DAY);
        using held = await database.hold();
        const found = await begin(held, [{ digests: [call.digest] }], () => place.clock.now(), false);
        const tx = createTransaction(found, TOMBSTONE_MS);
        const known = tx.calls.find(call.digest);
        if (!known) throw new Error("the call was not found");
        change(tx, known);
        await meanwhile(place, teamId);
        const before = await held.run("SELECT expires_at FROM idempotent_calls");
        const options = { operator: undefined, origin: "test", locksClock: false };
        const error = await commit(held, tx, options).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(isRetryable(error)).toBe(true);
        await held.run("ROLLBACK");
        expect(await held.run("SELECT expires_at FROM idempotent_calls")).toEqual(before);
        // Nothing was charged or refunded twice.
        time.advance(2 * TOMBSTONE_MS);
        await sweepAll(place);
        time.advance(2 * TOMBSTONE_MS);
        await sweepAll(place);
        expect((await store.findTeamUsage(teamId)).storedBytes).toBe(0);
      } finally {
        await database.close();
        await store.close();
      }
    });
  }
}
