import { eq, inArray, sql } from "drizzle-orm";
import { removeCallsOf } from "../../domain/transactions/calls.ts";
import { eraseRequest } from "../../domain/transactions/requests.ts";
import { eraseSecret } from "../../domain/transactions/secrets.ts";
import type { Work } from "../administration/work.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Orm } from "./engine/database.ts";
import { findAll } from "./engine/transaction.ts";
import { ciphertexts, clocks, events, idempotentCalls, requestNotes, requests, secrets, uploads } from "./schema.ts";

/** The maximum number of secrets, and of requests, per step. */
const STEP_ROWS = 50;

/** Erases some secrets and requests of a team, live ones too, with their calls. Resolves false when there were none. */
export async function emptyTeam({ database: { orm }, writer }: StoreContext, teamId: string): Promise<boolean> {
  const [secretIds, requestIds] = [await idsOf(orm, secrets, teamId), await idsOf(orm, requests, teamId)];
  if (secretIds.length + requestIds.length === 0) return false;
  return writer.write({ secretIds, requestIds }, (tx) => {
    for (const row of findAll(tx.secrets, secretIds)) eraseSecret(tx, row);
    for (const row of findAll(tx.requests, requestIds)) eraseRequest(tx, row);
    for (const id of [...secretIds, ...requestIds]) removeCallsOf(tx, id);
    return true;
  });
}

async function idsOf(orm: Orm, table: typeof secrets | typeof requests, teamId: string): Promise<string[]> {
  const rows = await orm.select({ id: table.id }).from(table).where(eq(table.teamId, teamId)).limit(STEP_ROWS);
  return rows.map(({ id }) => id);
}

/**
 * Erases all secrets, uploads, requests and events of a team that is about to be deleted. Its stored bytes are not
 * updated.
 */
export function* eraseStored(orm: Orm, teamId: string): Work<void> {
  const ofSecrets = orm.select({ id: secrets.id }).from(secrets).where(eq(secrets.teamId, teamId));
  const ofRequests = orm.select({ id: requests.id }).from(requests).where(eq(requests.teamId, teamId));
  yield orm.delete(ciphertexts).where(inArray(ciphertexts.secretId, ofSecrets));
  yield orm.delete(requestNotes).where(inArray(requestNotes.requestId, ofRequests));
  yield orm.update(clocks).set({ erasures: sql`${clocks.erasures} + 1` });
  yield orm.delete(idempotentCalls).where(eq(idempotentCalls.teamId, teamId));
  yield orm.delete(secrets).where(eq(secrets.teamId, teamId));
  // Their objects go when a server looks at them the next time.
  yield orm.delete(uploads).where(eq(uploads.teamId, teamId));
  yield orm.delete(requests).where(eq(requests.teamId, teamId));
  yield orm.delete(events).where(eq(events.teamId, teamId));
}
