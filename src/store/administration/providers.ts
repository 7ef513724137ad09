import { and, eq, or, sql } from "drizzle-orm";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type { NewSession, SessionRecord } from "../../domain/ports/persons.ts";
import type { ProviderAccount, ProviderGuest, ProviderLogout, ProviderStore } from "../../domain/ports/providers.ts";
import { insertIdentity, selectIdentities } from "./identities.ts";
import { appendOf, endThose, findSession, insertSession } from "./sessions.ts";
import { rowsOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

type Found = IdentityRecord | "removed" | "bound" | "unknown" | "several";

export function* signInWithProvider(
  context: ChangeContext,
  guest: ProviderGuest,
  session: NewSession,
): Work<Exclude<Awaited<ReturnType<ProviderStore["signInWithProvider"]>>, "abandoned">> {
  const person = yield* findGuest(context, guest);
  if (typeof person === "string") return person;
  const former = guest.isSilent && session.formerHash ? yield* findSession(context, session.formerHash) : undefined;
  if (former && former.identity.id !== person.id) return "another";
  const renewed = yield* renew(context, person, guest, session);
  if (renewed) return renewed;
  const confirmed = { confirmedAt: context.clock.now(), providerSid: guest.sid };
  return yield* insertSession(context, person, "oidc", session, confirmed);
}

export function* endProviderSessions(context: ChangeContext, { issuer, subject, sid }: ProviderLogout): Work<number> {
  const { providerAccounts, sessions } = context.tables;
  const named = [
    eq(providerAccounts.issuer, issuer),
    eq(sessions.way, "oidc"),
    ...(subject === undefined ? [] : [eq(providerAccounts.subject, subject)]),
    ...(sid === undefined ? [] : [eq(sessions.providerSid, sid)]),
  ];
  const found = yield* rowsOf(
    context.orm
      .select({ id: sessions.id, identityId: sessions.identityId })
      .from(sessions)
      .innerJoin(providerAccounts, eq(sessions.identityId, providerAccounts.identityId))
      .where(and(...named)),
  );
  for (const { id, identityId } of found) yield* endThose(context, identityId, eq(sessions.id, id));
  return found.length;
}

export function* findProviderAccount(context: ReadContext, identityId: string): Work<ProviderAccount | undefined> {
  const { providerAccounts } = context.tables;
  const [row] = yield* rowsOf(
    context.orm.select().from(providerAccounts).where(eq(providerAccounts.identityId, identityId)),
  );
  return row && { issuer: row.issuer, subject: row.subject, createdAt: row.createdAt };
}

/** The person of an account. One that is new is theirs from then on. */
function* findGuest(context: ChangeContext, guest: ProviderGuest): Work<Found> {
  const { identities, providerAccounts } = context.tables;
  const { issuer, subject } = guest;
  const [account] = yield* rowsOf(
    context.orm
      .select()
      .from(providerAccounts)
      .where(and(eq(providerAccounts.issuer, issuer), eq(providerAccounts.subject, subject))),
  );
  const [known] = account ? yield* selectIdentities(context, eq(identities.id, account.identityId)) : [];
  if (known) return known.disabledAt === null ? known : refuse(context, known, "removed");
  const person = yield* findAddressed(context, guest);
  if (typeof person === "string") return person;
  const former = yield* findProviderAccount(context, person.id);
  if (former?.issuer === issuer) return refuse(context, person, "bound");
  // An account at a provider that this server no longer has.
  if (former) yield* removeAccount(context, person.id);
  const bound = { identityId: person.id, issuer, subject, createdAt: context.clock.now() };
  yield* rowsOf(context.orm.insert(providerAccounts).values(bound));
  return person;
}

/** Deletes the account of a person. Does nothing without one. */
export function* removeAccount({ orm, tables: { providerAccounts } }: ChangeContext, identityId: string): Work<void> {
  yield* rowsOf(orm.delete(providerAccounts).where(eq(providerAccounts.identityId, identityId)));
}

/** The person who was added with the guest's address, or else the newcomer. */
function* findAddressed(context: ChangeContext, { address, teamId, newcomer }: ProviderGuest): Work<Found> {
  if (address === undefined) return "unknown";
  const { identities } = context.tables;
  // Providers write upper and lower case as a person's record has them, and admins as they type.
  const isTheirs = or(eq(identities.name, address), sql`lower(${identities.name}) = lower(${address})`);
  const all = yield* selectIdentities(context, and(eq(identities.kind, "person"), isTheirs));
  const active = all.filter(({ disabledAt }) => disabledAt === null);
  const [person, second] = active.length > 1 ? active.filter((each) => each.teamId === teamId) : active;
  if (second || (active.length > 1 && !person)) return "several";
  if (person) return person;
  const [removed] = all;
  if (removed) return refuse(context, removed, "removed");
  return newcomer && (yield* insertIdentity(context, newcomer)) ? newcomer : "unknown";
}

function refuse<Why extends "removed" | "bound">(context: ChangeContext, person: IdentityRecord, why: Why): Why {
  appendOf(context, "person.refused", person);
  return why;
}

/** Renews the browser's former session; undefined where there is none to renew. */
function* renew(
  context: ChangeContext,
  person: IdentityRecord,
  { sid, isSilent }: Pick<ProviderGuest, "isSilent" | "sid">,
  { formerHash, tokenHash, expiresAt, browser, system }: NewSession,
): Work<SessionRecord | undefined> {
  const former = formerHash && (yield* findSession(context, formerHash));
  if (former?.way !== "oidc" || former.identity.id !== person.id) return undefined;
  const now = context.clock.now();
  // Its lifetime, by the settings of today, goes on from its beginning.
  if (Math.min(former.expiresAt, former.createdAt + (expiresAt - now)) <= now) return undefined;
  const { sessions } = context.tables;
  // A silent one asked nobody anything, so it doesn't count as signing in again.
  const createdAt = isSilent ? former.createdAt : now;
  const confirmed = { createdAt, lastUsedAt: now, confirmedAt: now, providerSid: sid, browser, system };
  yield* rowsOf(
    context.orm
      .update(sessions)
      .set({ ...confirmed, tokenHash })
      .where(eq(sessions.id, former.id)),
  );
  yield* rowsOf(context.orm.update(sessions).set({ confirmedAt: now }).where(eq(sessions.parentId, former.id)));
  return { ...former, ...confirmed };
}
