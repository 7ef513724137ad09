import { eq, inArray, sql } from "drizzle-orm";
import { rowsOf } from "../administration/work.ts";
import type { Work } from "../administration/work.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import { ciphertextRowBytes } from "./files/ciphertext-pages.ts";
import { ciphertexts, idempotentCalls, requestNotes, requests, secrets } from "./schema.ts";
import { requestBytes, ROW_BYTES, secretBytes } from "./stored-bytes.ts";

/** The most secrets or requests of a step: meanwhile the server waits. */
const STEP_ROWS = 50;

type Orm = StoreContext["orm"];

/** Erases all secrets and requests of a team. */
export function* eraseStored(orm: Orm, tx: Transaction, teamId: string): Work<void> {
  while (yield* eraseStep(orm, tx, teamId));
}

/** Erases some of the secrets and requests of a team, live or not, with their calls. Returns false when there were none. */
export function* eraseStep(orm: Orm, tx: Transaction, teamId: string): Work<boolean> {
  const ofTeam = yield* rowsOf(orm.select().from(secrets).where(eq(secrets.teamId, teamId)).limit(STEP_ROWS));
  if (ofTeam.length > 0) {
    const sealed = { table: ciphertexts, seq: ciphertexts.secretSeq };
    yield* erase(orm, tx, teamId, { table: secrets, rows: ofTeam, sealed, bytesOf: secretBytes });
    return true;
  }
  const rows = yield* rowsOf(orm.select().from(requests).where(eq(requests.teamId, teamId)).limit(STEP_ROWS));
  const sealed = { table: requestNotes, seq: requestNotes.requestSeq };
  if (rows.length > 0) yield* erase(orm, tx, teamId, { table: requests, rows, sealed, bytesOf: requestBytes });
  return rows.length > 0;
}

interface Erasure<Row> {
  readonly table: typeof secrets | typeof requests;
  readonly rows: readonly Row[];
  /** The table of their ciphertexts, and its column with the `seq` of their row. */
  readonly sealed: {
    readonly table: typeof ciphertexts | typeof requestNotes;
    readonly seq: typeof ciphertexts.secretSeq | typeof requestNotes.requestSeq;
  };
  readonly bytesOf: (row: Row) => number;
}

function* erase<Row extends { readonly id: string; readonly seq: number }>(
  orm: Orm,
  tx: Transaction,
  teamId: string,
  { table, rows, sealed, bytesOf }: Erasure<Row>,
): Work<void> {
  const [ids, seqs] = [rows.map(({ id }) => id), rows.map(({ seq }) => seq)];
  const bytes = sql<number>`length(ciphertext)`;
  const { subjectId } = idempotentCalls;
  const texts = yield* rowsOf(orm.delete(sealed.table).where(inArray(sealed.seq, seqs)).returning({ bytes }));
  yield* rowsOf(orm.delete(table).where(inArray(table.seq, seqs)));
  const calls = yield* rowsOf(orm.delete(idempotentCalls).where(inArray(subjectId, ids)).returning({ subjectId }));
  for (const row of rows) tx.charge(teamId, -bytesOf(row));
  for (const text of texts) tx.charge(teamId, -ciphertextRowBytes(text.bytes));
  tx.charge(teamId, -ROW_BYTES.call * calls.length);
  tx.truncateWal();
}
