import { and, eq, gt, lt, max, sql } from "drizzle-orm";
import { LARGE_CIPHERTEXT_BYTES } from "../../contract/ciphertexts.ts";
import type { Characters } from "../../contract/ciphertexts.ts";
import type { SecretRecord } from "../../domain/ports/secrets.ts";
import type { StoreContext } from "./engine/context.ts";
import { ciphertexts, idempotentCalls, secrets } from "./schema.ts";
import { prepareNumberedInsert, prepareSealedInsert } from "./statements/inserts.ts";
import { createPages } from "./statements/pages.ts";
import { columnsOf, named, prepare } from "./statements/prepared.ts";

export type SecretRow = typeof secrets.$inferSelect;

/** `row` without what only the store knows of it. */
export function toSecretRecord(row: SecretRow): SecretRecord {
  const { seq: _seq, claimTokenHash: _hash, dueAt: _dueAt, ...record } = row;
  return record;
}

/** The prepared statements over secrets and what hangs on them. */
export function prepareSecretRows(context: Pick<StoreContext, "orm">) {
  const { orm } = context;
  const p = sql.placeholder;
  const insert = prepareNumberedInsert(context, secrets);
  const insertCiphertext = prepareSealedInsert(context, ciphertexts);
  const find = prepare(context, () =>
    orm
      .select(columnsOf(secrets))
      .from(secrets)
      .where(and(eq(secrets.id, p("id")), eq(secrets.teamId, p("teamId")))),
  );
  // The one statement that hands a claim out: it either counts this claim or matches nothing.
  const takeClaim = prepare(context, () =>
    orm
      .update(secrets)
      .set({
        claims: sql`${p("claims")}`,
        state: sql`${p("state")}`,
        endedAt: sql`${p("endedAt")}`,
      })
      .where(
        and(
          eq(secrets.seq, p("seq")),
          eq(secrets.state, "available"),
          gt(secrets.expiresAt, p("now")),
          lt(secrets.claims, secrets.maxClaims),
          eq(secrets.claims, sql`${p("claims")} - 1`),
        ),
      ),
  );
  const end = prepare(context, () =>
    orm
      .update(secrets)
      .set({ state: sql`${p("state")}`, endedAt: sql`${p("endedAt")}` })
      .where(and(eq(secrets.seq, p("seq")), eq(secrets.state, "available"))),
  );
  const setDue = prepare(context, () =>
    orm
      .update(secrets)
      .set({ dueAt: sql`${p("dueAt")}` })
      .where(eq(secrets.seq, p("seq"))),
  );
  const remove = prepare(context, () => orm.delete(secrets).where(eq(secrets.seq, p("seq"))));
  const findCiphertext = prepare(context, () =>
    orm
      .select(named({ ciphertext: ciphertexts.ciphertext }))
      .from(ciphertexts)
      .where(eq(ciphertexts.secretSeq, p("seq"))),
  );
  const findLargeCiphertext = prepare(context, () =>
    orm
      .select(named({ ciphertext: sql<Uint8Array<ArrayBuffer>>`CAST(${ciphertexts.ciphertext} AS BLOB)` }))
      .from(ciphertexts)
      .where(eq(ciphertexts.secretSeq, p("seq"))),
  );
  const hasCiphertext = prepare(context, () =>
    orm
      .select(named({ seq: ciphertexts.secretSeq }))
      .from(ciphertexts)
      .where(eq(ciphertexts.secretSeq, p("seq"))),
  );
  const deleteCiphertext = prepare(context, () => orm.delete(ciphertexts).where(eq(ciphertexts.secretSeq, p("seq"))));
  const lastReplay = prepare(context, () =>
    orm
      .select(named({ until: max(idempotentCalls.replayUntil) }))
      .from(idempotentCalls)
      .where(eq(idempotentCalls.subjectId, p("id"))),
  );
  const selectPage = createPages(context, secrets, { live: ["available"], ended: ["claimed", "expired", "revoked"] });
  return {
    insert,
    insertCiphertext,
    find,
    selectPage,
    takeClaim,
    end,
    setDue,
    remove,
    /** The ciphertext of a secret; undefined when it is erased. A large one comes as bytes, which go to another thread without being copied. */
    findCiphertext({ seq, ciphertextBytes }: SecretRow): Characters | undefined {
      const row = (ciphertextBytes < LARGE_CIPHERTEXT_BYTES ? findCiphertext : findLargeCiphertext).get({ seq });
      return row?.ciphertext;
    },
    hasCiphertext,
    deleteCiphertext,
    lastReplay,
  };
}

export type SecretStatements = ReturnType<typeof prepareSecretRows>;
