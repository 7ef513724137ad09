import { and, desc, eq, gte, max, or, sql } from "drizzle-orm";
import type { RequestRecord } from "../../domain/ports/requests.ts";
import type { StoreContext } from "./engine/context.ts";
import { requestNotes, requests, secrets } from "./schema.ts";
import { prepareNumberedInsert, prepareSealedInsert } from "./statements/inserts.ts";
import { createPages } from "./statements/pages.ts";
import { columnsOf, named, prepare } from "./statements/prepared.ts";

const isLive = or(eq(requests.state, "open"), eq(requests.state, "paused"));

export type RequestRow = typeof requests.$inferSelect;

/** `row` without what only the store knows of it. */
export function toRequestRecord(row: RequestRow): RequestRecord {
  const { seq: _seq, submitTokenHash: _hash, dueAt: _dueAt, ...record } = row;
  return record;
}

/** The prepared statements over requests and what hangs on them. */
export function prepareRequestRows(context: Pick<StoreContext, "orm">) {
  const { orm } = context;
  const p = sql.placeholder;
  const insert = prepareNumberedInsert(context, requests);
  const insertNote = prepareSealedInsert(context, requestNotes);
  const find = prepare(context, () =>
    orm
      .select(columnsOf(requests))
      .from(requests)
      .where(and(eq(requests.id, p("id")), eq(requests.teamId, p("teamId")))),
  );
  const findByToken = prepare(context, () =>
    orm
      .select(columnsOf(requests))
      .from(requests)
      .where(eq(requests.submitTokenHash, p("hash")))
      // Clients choose their tokens, and two requests may have the same: the named one, else the newest.
      .orderBy(desc(sql`${requests.id} = ${p("id")}`), desc(requests.id))
      .limit(1),
  );
  const findNote = prepare(context, () =>
    orm
      .select(
        named({
          version: requestNotes.envelopeVersion,
          ciphertext: requestNotes.ciphertext,
          fillBytes: sql<number>`length(${requestNotes.fill})`,
        }),
      )
      .from(requestNotes)
      .innerJoin(requests, eq(requests.seq, requestNotes.requestSeq))
      .where(and(eq(requests.id, p("id")), eq(requests.teamId, p("teamId")))),
  );
  const listSubmissions = prepare(context, () =>
    orm
      .select(columnsOf(secrets))
      .from(secrets)
      // The state of the partial index, so that SQLite takes it.
      .where(and(eq(secrets.requestId, p("requestId")), sql`request_id IS NOT NULL`, eq(secrets.teamId, p("teamId"))))
      .orderBy(secrets.id),
  );
  const lastWaiting = prepare(context, () =>
    orm
      .select(named({ expiresAt: max(secrets.expiresAt) }))
      .from(secrets)
      .where(and(eq(secrets.requestId, p("requestId")), sql`request_id IS NOT NULL`, eq(secrets.state, "available"))),
  );
  // The one statement that lets a submission in, and ends a request: it either counts from what was found or matches nothing.
  const change = prepare(context, () =>
    orm
      .update(requests)
      .set({
        submissionCount: sql`${p("submissionCount")}`,
        state: sql`${p("state")}`,
        endedAt: sql`${p("endedAt")}`,
      })
      .where(
        and(
          eq(requests.seq, p("seq")),
          isLive,
          eq(requests.submissionCount, p("was")),
          gte(requests.maxSubmissions, p("submissionCount")),
        ),
      ),
  );
  const setDue = prepare(context, () =>
    orm
      .update(requests)
      .set({ dueAt: sql`${p("dueAt")}` })
      .where(eq(requests.seq, p("seq"))),
  );
  const deleteNote = prepare(context, () =>
    orm
      .delete(requestNotes)
      .where(eq(requestNotes.requestSeq, p("seq")))
      .returning(named({ bytes: sql<number>`length(CAST(${requestNotes.ciphertext} AS BLOB))` })),
  );
  const remove = prepare(context, () => orm.delete(requests).where(eq(requests.seq, p("seq"))));
  const selectPage = createPages(context, requests, {
    live: ["open", "paused"],
    ended: ["fulfilled", "expired", "revoked"],
  });
  return {
    insert,
    insertNote,
    find,
    selectPage,
    findByToken,
    findNote,
    listSubmissions,
    lastWaiting,
    change,
    setDue,
    deleteNote,
    remove,
  };
}

export type RequestStatements = ReturnType<typeof prepareRequestRows>;
