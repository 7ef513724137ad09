import { and, max, desc, eq, gt, lt, lte, or, sql } from "drizzle-orm";
import type { RequestState } from "../../contract/requests.ts";
import type { ListRequestsInput, RequestRecord } from "../../domain/ports.ts";
import type { StoreContext } from "./engine/context.ts";
import { GUARD_BYTES } from "./files/ciphertext-pages.ts";
import { rowsOf } from "./lists.ts";
import { requestNotes, requests, secrets } from "./schema.ts";

export type RequestRow = typeof requests.$inferSelect;

/** `row` as everybody may see it at `now`: an expired request is expired whether or not the sweeper has come by. */
export function toRequestRecord(row: RequestRow, now: number): RequestRecord {
  const { seq: _seq, submitTokenHash: _hash, dueAt: _dueAt, ...record } = row;
  return hasRequestExpired(row, now) ? { ...record, state: "expired", endedAt: row.expiresAt } : record;
}

/** Whether a request can still be answered, now or when it is opened again. */
export function isLive({ state }: Pick<RequestRow, "state">): boolean {
  return state === "open" || state === "paused";
}

/** Whether `row` is over by time alone. */
export function hasRequestExpired(row: RequestRow, now: number): boolean {
  return isLive(row) && row.expiresAt <= now;
}

/** The prepared statements over requests and what hangs on them. */
export function prepareRequestRows({ orm }: Pick<StoreContext, "orm">) {
  const p = sql.placeholder;
  const live = or(eq(requests.state, "open"), eq(requests.state, "paused"));
  const insert = orm
    .insert(requests)
    .values({
      id: p("id"),
      teamId: p("teamId"),
      state: p("state"),
      recipient: p("recipient"),
      createdAt: p("createdAt"),
      expiresAt: p("expiresAt"),
      maxSubmissions: p("maxSubmissions"),
      submissionCount: p("submissionCount"),
      endedAt: p("endedAt"),
      createdBy: p("createdBy"),
      submitTokenHash: p("submitTokenHash"),
      dueAt: p("dueAt"),
    })
    .returning({ seq: requests.seq })
    .prepare();
  const insertNote = orm
    .insert(requestNotes)
    .values({
      requestSeq: p("seq"),
      envelopeVersion: p("version"),
      guard: sql`zeroblob(${sql.raw(String(GUARD_BYTES))})`,
      ciphertext: p("ciphertext"),
      fill: sql`zeroblob(${p("fillBytes")})`,
    })
    .prepare();
  const find = orm
    .select()
    .from(requests)
    .where(and(eq(requests.id, p("id")), eq(requests.teamId, p("teamId"))))
    .prepare();
  const findByToken = orm
    .select()
    .from(requests)
    .where(eq(requests.submitTokenHash, p("hash")))
    // Clients choose their tokens, and two requests may have the same: the named one, else the newest.
    .orderBy(desc(sql`${requests.id} = ${p("id")}`), desc(requests.id))
    .limit(1)
    .prepare();
  const findNote = orm
    .select({ version: requestNotes.envelopeVersion, ciphertext: requestNotes.ciphertext })
    .from(requestNotes)
    .innerJoin(requests, eq(requests.seq, requestNotes.requestSeq))
    .where(and(eq(requests.id, p("id")), eq(requests.teamId, p("teamId"))))
    .prepare();
  const listSubmissions = orm
    .select()
    .from(secrets)
    // The state of the partial index, so that SQLite takes it.
    .where(and(eq(secrets.requestId, p("requestId")), sql`request_id IS NOT NULL`, eq(secrets.teamId, p("teamId"))))
    .orderBy(secrets.id)
    .prepare();
  const lastAvailable = orm
    .select({ expiresAt: max(secrets.expiresAt) })
    .from(secrets)
    .where(and(eq(secrets.requestId, p("requestId")), sql`request_id IS NOT NULL`, eq(secrets.state, "available")))
    .prepare();
  // The one statement that lets a submission in: it either counts this one or matches nothing.
  const takeSubmission = orm
    .update(requests)
    .set({
      submissionCount: sql`${requests.submissionCount} + 1`,
      state: sql`CASE WHEN ${requests.submissionCount} + 1 >= ${requests.maxSubmissions} THEN 'fulfilled' ELSE 'open' END`,
      endedAt: sql`CASE WHEN ${requests.submissionCount} + 1 >= ${requests.maxSubmissions} THEN ${p("now")} END`,
    })
    .where(
      and(
        eq(requests.seq, p("seq")),
        eq(requests.state, "open"),
        gt(requests.expiresAt, p("now")),
        lt(requests.submissionCount, requests.maxSubmissions),
      ),
    )
    .returning()
    .prepare();
  const end = orm
    .update(requests)
    .set({ state: sql`${p("state")}`, endedAt: sql`${p("endedAt")}` })
    .where(and(eq(requests.seq, p("seq")), live))
    .returning()
    .prepare();
  const setState = orm
    .update(requests)
    .set({ state: sql`${p("state")}` })
    .where(and(eq(requests.seq, p("seq")), live))
    .returning()
    .prepare();
  const setDue = orm
    .update(requests)
    .set({ dueAt: sql`${p("dueAt")}` })
    .where(eq(requests.seq, p("seq")))
    .prepare();
  const deleteNote = orm
    .delete(requestNotes)
    .where(eq(requestNotes.requestSeq, p("seq")))
    .returning({ bytes: sql<number>`length(${requestNotes.ciphertext})` })
    .prepare();
  const remove = orm
    .delete(requests)
    .where(eq(requests.seq, p("seq")))
    .prepare();
  return {
    insert,
    insertNote,
    find,
    findByToken,
    findNote,
    listSubmissions,
    lastAvailable,
    takeSubmission,
    end,
    setState,
    setDue,
    deleteNote,
    remove,
  };
}

export type RequestStatements = ReturnType<typeof prepareRequestRows>;

/** One page of rows, newest first, by the state they have at `now`. */
export function selectRequestPage({ orm }: Pick<StoreContext, "orm">, input: ListRequestsInput, now: number) {
  return orm
    .select()
    .from(requests)
    .where(
      and(
        rowsOf(requests, input),
        input.state && inState(input.state, now),
        input.before === undefined ? undefined : lt(requests.id, input.before),
      ),
    )
    .orderBy(desc(requests.id))
    .limit(input.limit)
    .all();
}

function inState(state: RequestState, now: number) {
  switch (state) {
    case "open":
    case "paused":
      return and(eq(requests.state, state), gt(requests.expiresAt, now));
    case "expired": {
      const live = or(eq(requests.state, "open"), eq(requests.state, "paused"));
      return or(eq(requests.state, state), and(live, lte(requests.expiresAt, now)));
    }
    case "fulfilled":
    case "revoked":
      return eq(requests.state, state);
  }
}
