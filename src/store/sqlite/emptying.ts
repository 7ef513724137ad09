import { eq } from "drizzle-orm";
import { removeCallsOf } from "../../domain/transactions/calls.ts";
import { eraseRequest } from "../../domain/transactions/requests.ts";
import { eraseSecret } from "../../domain/transactions/secrets.ts";
import type { Transaction } from "../../domain/transactions/transaction.ts";
import { rowsOf } from "../administration/work.ts";
import type { Work } from "../administration/work.ts";
import type { StoreContext } from "./engine/context.ts";
import { events, requests, secrets, uploads } from "./schema.ts";
import { lowerPlaces } from "./seals.ts";

type Orm = StoreContext["orm"];

/** The maximum number of secrets or requests in a step: meanwhile the server waits. */
const STEP_ROWS = 50;

/** Erases all secrets, uploads, requests and events of a team that is about to be deleted. */
export function* eraseStored(orm: Orm, tx: Transaction, teamId: string): Work<void> {
  while (yield* eraseStep(orm, tx, teamId));
  // Their files go when the server looks at them the next time.
  yield orm.delete(uploads).where(eq(uploads.teamId, teamId));
  yield orm.delete(events).where(eq(events.teamId, teamId));
  lowerPlaces(orm);
}

/**
 * Erases some of the secrets or requests of a team, live or not, with their calls. Returns false when there were none.
 */
export function* eraseStep(orm: Orm, tx: Transaction, teamId: string): Work<boolean> {
  const ofSecrets = yield* rowsOf(orm.select().from(secrets).where(eq(secrets.teamId, teamId)).limit(STEP_ROWS));
  for (const row of ofSecrets) {
    eraseSecret(tx, row);
    removeCallsOf(tx, row.id);
  }
  if (ofSecrets.length > 0) return true;
  const ofRequests = yield* rowsOf(orm.select().from(requests).where(eq(requests.teamId, teamId)).limit(STEP_ROWS));
  for (const row of ofRequests) {
    eraseRequest(tx, row);
    removeCallsOf(tx, row.id);
  }
  return ofRequests.length > 0;
}
