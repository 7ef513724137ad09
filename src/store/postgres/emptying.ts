import { eq, inArray, sql } from "drizzle-orm";
import type { Work } from "../administration/work.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Orm } from "./engine/database.ts";
import { requestBytes, ROW_BYTES, sealedBytes, secretBytes } from "./engine/stored-bytes.ts";
import type { Transaction } from "./engine/transaction.ts";
import { ciphertexts, clocks, idempotentCalls, requestNotes, requests, secrets } from "./schema.ts";

/** The most secrets or requests of a step. */
const STEP_ROWS = 50;

/** Erases some of the secrets and requests of a team, live or not, with their calls. Resolves false when there were none. */
export async function emptyTeam({ database: { orm }, writer }: StoreContext, teamId: string): Promise<boolean> {
  const [secretIds, requestIds] = [await idsOf(orm, secrets, teamId), await idsOf(orm, requests, teamId)];
  const subjects = [...secretIds, ...requestIds];
  if (subjects.length === 0) return false;
  const calls = await orm
    .select({ digest: idempotentCalls.digest })
    .from(idempotentCalls)
    .where(inArray(idempotentCalls.subjectId, subjects));
  const digests = calls.map(({ digest }) => digest);
  return writer.write({ secretIds, requestIds, digests }, (tx) => {
    for (const id of secretIds) eraseSecret(tx, id);
    for (const id of requestIds) eraseRequest(tx, id);
    for (const { digest, subjectId } of tx.calls.values()) {
      if (!subjects.includes(subjectId)) continue;
      tx.calls.remove(digest.toHex());
      tx.charge(teamId, -ROW_BYTES.call);
    }
    return true;
  });
}

async function idsOf(orm: Orm, table: typeof secrets | typeof requests, teamId: string): Promise<string[]> {
  const rows = await orm.select({ id: table.id }).from(table).where(eq(table.teamId, teamId)).limit(STEP_ROWS);
  return rows.map(({ id }) => id);
}

function eraseSecret(tx: Transaction, id: string): void {
  const row = tx.secrets.remove(id);
  if (!row) return;
  tx.charge(row.teamId, -secretBytes(row));
  if (tx.sealed.remove(id)) tx.charge(row.teamId, -sealedBytes(row.ciphertextBytes));
}

function eraseRequest(tx: Transaction, id: string): void {
  const row = tx.requests.remove(id);
  if (!row) return;
  tx.charge(row.teamId, -requestBytes(row));
  const note = tx.notes.remove(id);
  if (note) tx.charge(row.teamId, -sealedBytes(note.bytes));
}

/** Erases all secrets and requests of a team that is about to be deleted. Its stored bytes are not updated. */
export function* eraseStored(orm: Orm, teamId: string): Work<void> {
  const ofSecrets = orm.select({ id: secrets.id }).from(secrets).where(eq(secrets.teamId, teamId));
  const ofRequests = orm.select({ id: requests.id }).from(requests).where(eq(requests.teamId, teamId));
  yield orm.delete(ciphertexts).where(inArray(ciphertexts.secretId, ofSecrets));
  yield orm.delete(requestNotes).where(inArray(requestNotes.requestId, ofRequests));
  yield orm.update(clocks).set({ erasures: sql`${clocks.erasures} + 1` });
  yield orm.delete(idempotentCalls).where(eq(idempotentCalls.teamId, teamId));
  yield orm.delete(secrets).where(eq(secrets.teamId, teamId));
  yield orm.delete(requests).where(eq(requests.teamId, teamId));
}
