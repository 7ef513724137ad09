import { and, eq, max, sql } from "drizzle-orm";
import { LARGE_CIPHERTEXT_BYTES } from "../../contract/ciphertexts.ts";
import type { Characters } from "../../contract/ciphertexts.ts";
import { isId } from "../../contract/ids.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import type { SecretRow, SecretRows } from "../../domain/transactions/transaction.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Effects } from "./engine/effects.ts";
import { fillBytes } from "./files/ciphertext-pages.ts";
import { refuseDamaged } from "./files/stored-ciphertexts.ts";
import { prepareNumberedInsert, prepareSealedInsert } from "./inserts.ts";
import { named, prepare, prepareSelect } from "./prepared.ts";
import { seqOf } from "./row-numbers.ts";
import { ciphertexts, idempotentCalls, secrets } from "./schema.ts";

/** The secrets of the current transaction, whose `effects` have the WAL emptied after an erasure. */
export function createSecretRows(
  context: Pick<StoreContext, "orm">,
  effects: Pick<Effects, "truncateWal">,
): SecretRows {
  const statements = prepareStatements(context);
  return {
    find: (id) => statements.find.get({ id }),
    add(row, ciphertext) {
      const secretSeq = statements.insert(row);
      statements.insertCiphertext({ secretSeq, ciphertext }, fillBytes(ciphertext.length));
    },
    change(before, after) {
      const seq = seqOf(before);
      const { state, claims, endedAt, dueAt, expiresAt, maxClaims, approval } = after;
      if (state !== before.state || claims !== before.claims) {
        const was = { wasState: before.state, wasClaims: before.claims };
        if (statements.change.run({ seq, state, claims, endedAt, ...was }).changes === 0) {
          throw new Error("a secret has changed twice");
        }
      }
      if (expiresAt !== before.expiresAt || maxClaims !== before.maxClaims) {
        statements.setTerms.run({ seq, expiresAt, maxClaims });
      }
      if (approval !== before.approval) statements.setApproval.run({ seq, approval });
      if (dueAt !== before.dueAt) statements.setDue.run({ seq, dueAt });
    },
    remove: (row) => void statements.remove.run({ seq: seqOf(row) }),
    hasCiphertext: (row) => statements.hasCiphertext.get({ seq: seqOf(row) }) !== undefined,
    readCiphertext(row) {
      const ciphertext = findCiphertext(statements, row);
      if (ciphertext !== undefined) refuseDamaged(ciphertext, isAsStored(row, ciphertext));
      return ciphertext;
    },
    eraseCiphertext(row) {
      if (statements.deleteCiphertext.run({ seq: seqOf(row) }).changes === 0) return false;
      effects.truncateWal();
      return true;
    },
    lastReplay: ({ id }) => statements.lastReplay.get({ id })?.until ?? 0,
  };
}

/**
 * The ciphertext of a secret; undefined when it is erased. A large one is in bytes, which move to another thread
 * without a copy.
 */
function findCiphertext(statements: Statements, row: SecretRow): Characters | undefined {
  const seq = seqOf(row);
  const isShort = row.envelopeVersion === LARGE_VERSION || row.ciphertextBytes < LARGE_CIPHERTEXT_BYTES;
  return (isShort ? statements.findCiphertext : statements.findLargeCiphertext).get({ seq })?.ciphertext;
}

/** True for a ciphertext of the length that was stored, and for the id of an upload. */
function isAsStored({ envelopeVersion, ciphertextBytes }: SecretRow, ciphertext: Characters): boolean {
  if (envelopeVersion === LARGE_VERSION) return typeof ciphertext === "string" && isId(ciphertext, "upload");
  return ciphertext.length === ciphertextBytes;
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(context: Pick<StoreContext, "orm">) {
  const { orm } = context;
  const p = sql.placeholder;
  const isSeq = eq(secrets.seq, p("seq"));
  const isCiphertextOf = eq(ciphertexts.secretSeq, p("seq"));
  const ofCiphertext = <Fields extends Parameters<typeof named>[0]>(fields: Fields) =>
    prepare(context, () => orm.select(named(fields)).from(ciphertexts).where(isCiphertextOf));
  return {
    insert: prepareNumberedInsert(context, secrets),
    insertCiphertext: prepareSealedInsert(context, ciphertexts),
    find: prepareSelect(context, secrets, eq(secrets.id, p("id"))),
    // Only this statement hands out a claim. It counts from the row that was found, or matches nothing.
    change: prepare(context, () =>
      orm
        .update(secrets)
        .set({
          claims: sql`${p("claims")}`,
          state: sql`${p("state")}`,
          endedAt: sql`${p("endedAt")}`,
        })
        .where(and(isSeq, eq(secrets.state, sql`${p("wasState")}`), eq(secrets.claims, p("wasClaims")))),
    ),
    setTerms: prepare(context, () =>
      orm
        .update(secrets)
        .set({ expiresAt: sql`${p("expiresAt")}`, maxClaims: sql`${p("maxClaims")}` })
        .where(isSeq),
    ),
    setApproval: prepare(context, () =>
      orm
        .update(secrets)
        .set({ approval: sql`${p("approval")}` })
        .where(isSeq),
    ),
    setDue: prepare(context, () =>
      orm
        .update(secrets)
        .set({ dueAt: sql`${p("dueAt")}` })
        .where(isSeq),
    ),
    remove: prepare(context, () => orm.delete(secrets).where(isSeq)),
    findCiphertext: ofCiphertext({ ciphertext: ciphertexts.ciphertext }),
    findLargeCiphertext: ofCiphertext({
      ciphertext: sql<Uint8Array<ArrayBuffer>>`CAST(${ciphertexts.ciphertext} AS BLOB)`,
    }),
    hasCiphertext: ofCiphertext({ seq: ciphertexts.secretSeq }),
    deleteCiphertext: prepare(context, () => orm.delete(ciphertexts).where(isCiphertextOf)),
    lastReplay: prepare(context, () =>
      orm
        .select(named({ until: max(idempotentCalls.replayUntil) }))
        .from(idempotentCalls)
        .where(eq(idempotentCalls.subjectId, p("id"))),
    ),
  };
}
