import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { StoreContext } from "./engine/context.ts";
import { createFingerprints, FINGERPRINT_DIGITS } from "./fingerprints.ts";
import { named, prepare, prepareSelect } from "./prepared.ts";
import { secrets } from "./schema.ts";

/** The number of secrets that are read at once: other callers wait for a fraction of a millisecond. */
const SLICE = 256;

/** Finds secrets by their claim tokens. */
export interface ClaimTokens {
  /**
   * The secret with the id `id` if this is the hash of its claim token, else the newest secret whose token it is.
   * Clients choose their tokens, and two may be the same.
   */
  find(hash: Uint8Array, id: string | undefined): Promise<typeof secrets.$inferSelect | undefined>;
}

/**
 * Calls with a token but without its secret's id are rare. For them a map in memory leads from the first digits of a
 * hash to a row. Each such call first adds the secrets stored since the last one. An index in the database would cost
 * every creation one more page to write.
 */
export function createClaimTokens(context: Pick<StoreContext, "orm">): ClaimTokens {
  const { findByIdAndToken, findBySeqAndToken, findId, firstSeq, tokensAfter } = prepareTokens(context);
  const create = () => createFingerprints(() => firstSeq.get()?.seq ?? Infinity);
  let fingerprints = create();
  let last: { readonly seq: number; readonly id: string | undefined } = { seq: 0, id: undefined };
  let filling: Promise<void> | undefined;

  /** SQLite reuses a number once the newest row is gone. */
  const mayBeNumberedAnew = () => {
    const id = findId.get({ seq: last.seq })?.id;
    return last.seq > 0 && (id === undefined || id !== last.id);
  };

  const fill = async () => {
    if (mayBeNumberedAnew()) {
      fingerprints = create();
      last = { seq: 0, id: undefined };
    }
    for (;;) {
      const rows = tokensAfter.all({ after: last.seq, limit: SLICE });
      for (const { seq, digits } of rows) fingerprints.set(digits, seq);
      const seq = rows.at(-1)?.seq;
      if (seq !== undefined) last = { seq, id: findId.get({ seq })?.id };
      if (rows.length < SLICE) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    async find(hash, id) {
      const itself = id === undefined ? undefined : findByIdAndToken.get({ id, hash });
      if (itself) return itself;
      await (filling ??= fill().finally(() => (filling = undefined)));
      const seq = fingerprints.get(hash.toHex());
      return seq === undefined ? undefined : findBySeqAndToken.get({ seq, hash });
    },
  };
}

function prepareTokens(context: Pick<StoreContext, "orm">) {
  const { orm } = context;
  const p = sql.placeholder;
  const isOfToken = eq(secrets.claimTokenHash, p("hash"));
  const digits = sql<string>`substr(hex(${secrets.claimTokenHash}), 1, ${sql.raw(String(FINGERPRINT_DIGITS))})`;
  return {
    findByIdAndToken: prepareSelect(context, secrets, and(eq(secrets.id, p("id")), isOfToken)),
    findBySeqAndToken: prepareSelect(context, secrets, and(eq(secrets.seq, p("seq")), isOfToken)),
    findId: prepare(context, () =>
      orm
        .select(named({ id: secrets.id }))
        .from(secrets)
        .where(eq(secrets.seq, p("seq"))),
    ),
    firstSeq: prepare(context, () =>
      orm
        .select(named({ seq: secrets.seq }))
        .from(secrets)
        .orderBy(asc(secrets.seq))
        .limit(1),
    ),
    tokensAfter: prepare(context, () =>
      orm
        .select(named({ seq: secrets.seq, digits }))
        .from(secrets)
        .where(gt(secrets.seq, p("after")))
        .orderBy(asc(secrets.seq))
        .limit(p("limit")),
    ),
  };
}
