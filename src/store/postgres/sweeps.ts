import { LARGE_VERSION } from "../../contract/states.ts";
import type { SealRecord } from "../../domain/ports/events.ts";
import type { SweepStore } from "../../domain/ports/store.ts";
import { removeCall } from "../../domain/transactions/calls.ts";
import { sweepRequest } from "../../domain/transactions/requests.ts";
import { sweepSecret } from "../../domain/transactions/secrets.ts";
import { lastForgotten } from "../../domain/values/seals.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Lease } from "./engine/leases.ts";
import type { DriverRow } from "./engine/rows.ts";
import { findAll } from "./engine/transaction.ts";
import { createHalfRewriter } from "./halves.ts";
import { raiseClock } from "./lists.ts";
import { sealEvents } from "./seals.ts";

/** A step ends early once it has erased this much. */
const MAX_ERASED_BYTES = 4 * 1024 * 1024;

/** The rows that are due in one step. */
interface Due {
  readonly secretIds: readonly string[];
  readonly requestIds: readonly string[];
  readonly digests: readonly Uint8Array[];
  readonly forgotten: Pick<SealRecord, "id" | "lastPlace"> | undefined;
  readonly isMore: boolean;
}

/** The sweeper. Only the process that holds `lease` does anything. */
export function createSweepStore(context: StoreContext, lease: Lease): SweepStore {
  const { writer } = context;
  const rewriteHalves = createHalfRewriter(context);

  const sweepDue = async (limit: number): Promise<boolean> => {
    const due = await findDue(context, limit);
    const { secretIds, requestIds, digests, forgotten, isMore } = due;
    // An idle server writes nothing.
    if (secretIds.length + requestIds.length + digests.length === 0 && !forgotten) return false;
    await writer.write({ secretIds, requestIds, digests }, (tx) => {
      for (const row of findAll(tx.secrets, secretIds)) if (row.dueAt <= tx.now) sweepSecret(tx, row);
      for (const row of findAll(tx.requests, requestIds)) if (row.dueAt <= tx.now) sweepRequest(tx, row);
      for (const row of findAll(tx.calls, digests)) if (row.expiresAt <= tx.now) removeCall(tx, row);
      if (forgotten) tx.effects.forgottenSeals.push(forgotten);
    });
    return isMore;
  };

  return {
    async sweep(limit) {
      if (!(await lease.hold())) return false;
      // In this order: what is due to be deleted has its seal then.
      const isSealed = await sealEvents(context, limit);
      const isMore = (await sweepDue(limit)) || isSealed;
      if (!isMore) await rewriteHalves();
      return isMore;
    },
  };
}

async function findDue(context: StoreContext, limit: number): Promise<Due> {
  const { database, tombstoneMs } = context;
  const now = await raiseClock(context);
  const [secrets, requests, calls, seals] = await Promise.all([
    database.read(
      `SELECT id, CASE envelope_version WHEN ${LARGE_VERSION} THEN 0 ELSE ciphertext_bytes END AS erased_bytes
       FROM secrets WHERE due_at <= $1::bigint ORDER BY due_at, id LIMIT $2`,
      [now, limit],
    ),
    database.read("SELECT id FROM requests WHERE due_at <= $1::bigint ORDER BY due_at, id LIMIT $2", [now, limit]),
    database.read("SELECT digest FROM idempotent_calls WHERE expires_at <= $1::bigint LIMIT $2", [now, limit]),
    database.read("SELECT id, last_place, ends_at FROM event_seals ORDER BY id LIMIT $1", [limit + 1]),
  ]);
  const oldest = seals.map((row) => ({
    id: Number(row["id"]),
    lastPlace: Number(row["last_place"]),
    endsAt: Number(row["ends_at"]),
  }));
  const forgotten = lastForgotten(oldest, now - tombstoneMs, limit);
  const some = withinBytes(secrets);
  return {
    secretIds: some.map((row) => String(row["id"])),
    requestIds: requests.map((row) => String(row["id"])),
    digests: calls.map((row) => row["digest"] as Uint8Array),
    forgotten,
    isMore:
      some.length < secrets.length ||
      forgotten !== undefined ||
      [secrets.length, requests.length, calls.length].includes(limit),
  };
}

/** The first of these secrets: as many as can be erased without delaying requests. */
function withinBytes(rows: readonly DriverRow[]): readonly DriverRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += Number(row["erased_bytes"])) > MAX_ERASED_BYTES);
  return end === -1 ? rows : rows.slice(0, end + 1);
}
