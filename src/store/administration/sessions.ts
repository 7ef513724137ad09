import { and, desc, eq, gt, inArray, lt, lte, ne, sql } from "drizzle-orm";
import type { Placeholder, SQL } from "drizzle-orm";
import type { EventType, SessionWay } from "../../contract/states.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type { FoundSession, NewSession, SessionRecord } from "../../domain/ports/persons.ts";
import type { Use } from "./uses.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

type Selecting = Pick<ReadContext, "orm" | "tables">;

/** Builds a query for the session with this hash. */
export function selectSession(context: Selecting, tokenHash: Uint8Array | Placeholder) {
  return selectSessions(context).where(eq(context.tables.sessions.tokenHash, tokenHash));
}

function selectSessions({ orm, tables: { identities, sessions, teams } }: Selecting) {
  return orm
    .select({ session: sessions, identity: identities, teamName: teams.name, teamRules: teams.rules })
    .from(sessions)
    .innerJoin(identities, eq(sessions.identityId, identities.id))
    .innerJoin(teams, eq(identities.teamId, teams.id));
}

type SessionRow = Awaited<ReturnType<typeof selectSession>>[number];

/** Converts a row of `selectSession` to a record; undefined for undefined. */
export function toSession(row: SessionRow | undefined): FoundSession | undefined {
  if (!row) return undefined;
  const { identityId: _identityId, tokenHash: _tokenHash, ...session } = row.session;
  return { ...session, identity: { ...row.identity, teamName: row.teamName }, teamRules: row.teamRules };
}

export function* findSession(context: ReadContext, tokenHash: Uint8Array): Work<FoundSession | undefined> {
  yield* timeOf(context);
  return toSession((yield* rowsOf(selectSession(context, tokenHash)))[0]);
}

export function* listSessions(context: ReadContext, identityId: string): Work<SessionRecord[]> {
  const { sessions } = context.tables;
  yield* timeOf(context);
  const rows = yield* rowsOf(
    selectSessions(context)
      .where(eq(sessions.identityId, identityId))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt), desc(sessions.id)),
  );
  return rows.flatMap((row) => toSession(row) ?? []);
}

export function* noteSessionUse({ orm, tables: { sessions } }: ChangeContext, use: Use): Work<void> {
  const isLater = lt(sessions.lastUsedAt, use.at);
  yield* rowsOf(
    orm
      .update(sessions)
      .set({ lastUsedAt: use.at })
      .where(and(eq(sessions.id, use.id), isLater)),
  );
}

export function* deleteSession(context: ChangeContext, tokenHash: Uint8Array): Work<void> {
  const session = yield* findSession(context, tokenHash);
  if (session) yield* removeSessions(context, session.identity, eq(context.tables.sessions.id, session.id));
}

export function* endSessionOf(context: ChangeContext, identityId: string, sessionId: string): Work<boolean> {
  const { sessions } = context.tables;
  const ended = yield* endThose(context, identityId, eq(sessions.id, sessionId));
  return ended > 0;
}

export function endSessionsOf(context: ChangeContext, identityId: string, keptId: string): Work<number> {
  return endThose(context, identityId, ne(context.tables.sessions.id, keptId));
}

export function* findSessionById(context: ReadContext, id: string): Work<SessionRecord | undefined> {
  yield* timeOf(context);
  const [row] = yield* rowsOf(selectSessions(context).where(eq(context.tables.sessions.id, id)));
  return toSession(row);
}

/** What a session has beside `NewSession`: that with which it ends, and what a provider has confirmed. */
type Origin = Partial<Pick<SessionRecord, "parentId" | "confirmedAt" | "providerSid">>;

/**
 * Begins a session, and ends the browser's former one. The terminals of that go on with the new one when it is of the
 * same person. One with a `parentId` ends with that.
 */
export function* insertSession(
  context: ChangeContext,
  identity: IdentityRecord,
  way: SessionWay,
  { formerHash, tokenHash, ...session }: NewSession,
  { parentId = null, confirmedAt = null, providerSid = null }: Origin = {},
): Work<SessionRecord> {
  yield* deleteExpiredSessions(context);
  if (formerHash) yield* replaceSession(context, formerHash, { id: session.id, identity, confirmedAt });
  const now = context.clock.now();
  const times = { createdAt: now, lastUsedAt: now };
  const begun = { ...session, way, ...times, parentId, confirmedAt, providerSid };
  yield* rowsOf(context.orm.insert(context.tables.sessions).values({ ...begun, tokenHash, identityId: identity.id }));
  appendOf(context, "person.signed_in", identity);
  return { ...begun, identity };
}

/** Ends a session in whose place another one begins. */
function* replaceSession(
  context: ChangeContext,
  formerHash: Uint8Array,
  { id, identity, confirmedAt }: Pick<SessionRecord, "confirmedAt" | "id" | "identity">,
): Work<void> {
  const { sessions } = context.tables;
  const former = yield* findSession(context, formerHash);
  if (former?.identity.id === identity.id) {
    const isBelow = eq(sessions.parentId, former.id);
    yield* rowsOf(context.orm.update(sessions).set({ parentId: id, confirmedAt }).where(isBelow));
  }
  yield* deleteSession(context, formerHash);
}

export function* deleteExpiredSessions({ orm, tables: { sessions }, clock }: ChangeContext): Work<void> {
  yield* rowsOf(orm.delete(sessions).where(lte(sessions.expiresAt, clock.now())));
}

/** Ends the sign-in links, codes that were asked for, and sessions of a person. */
export function* endSignIns(context: ChangeContext, person: IdentityRecord): Work<void> {
  const { attempts } = context.tables;
  const isTheirs = sql`lower(${attempts.address}) = lower(${person.name})`;
  // Those that are over can be used no more, and are found by their end.
  const isLive = gt(attempts.expiresAt, context.clock.now());
  yield* rowsOf(context.orm.delete(attempts).where(and(isLive, eq(attempts.purpose, "mail_sign_in"), isTheirs)));
  yield* removeLinks(context, person.id);
  yield* removeSessions(context, person, eq(context.tables.sessions.identityId, person.id));
}

/** Deletes the sign-in links of a person. Once one was used or a newer one was created, no other may work. */
export function* removeLinks({ orm, tables: { signInLinks } }: ChangeContext, identityId: string): Work<void> {
  yield* rowsOf(orm.delete(signInLinks).where(eq(signInLinks.identityId, identityId)));
}

/** Deletes the sessions of `person` that `where` selects, and those that end with them. Each is an event. */
function* removeSessions(context: ChangeContext, person: IdentityRecord, where: SQL): Work<number> {
  const { sessions } = context.tables;
  const ended = yield* rowsOf(context.orm.delete(sessions).where(where).returning({ id: sessions.id }));
  const ids = ended.map(({ id }) => id);
  const below = inArray(sessions.parentId, ids);
  const withThem =
    ids.length === 0 ? [] : yield* rowsOf(context.orm.delete(sessions).where(below).returning({ id: sessions.id }));
  for (const _ of [...ended, ...withThem]) appendOf(context, "person.signed_out", person);
  return ended.length;
}

/** Ends the sessions of a person that `where` selects. Returns their number, without terminals that end with them. */
export function* endThose(context: ChangeContext, identityId: string, where: SQL): Work<number> {
  const { sessions } = context.tables;
  const ofPerson = eq(sessions.identityId, identityId);
  const [row] = yield* rowsOf(selectSessions(context).where(ofPerson).limit(1));
  const person = toSession(row)?.identity;
  return person ? yield* removeSessions(context, person, and(ofPerson, where) ?? ofPerson) : 0;
}

/** Appends an event of a person, who is its actor. */
export function appendOf(
  { append }: ChangeContext,
  type: EventType & `person.${string}`,
  { id, teamId }: IdentityRecord,
): void {
  append({ teamId, type, secretId: null, requestId: null, actorId: id, reference: null, address: null });
}
