import { and, eq, lte, or, sql } from "drizzle-orm";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type {
  ImportChange,
  NewSession,
  PersonStore,
  SessionRecord,
  SignInLinkRecord,
} from "../../domain/ports/persons.ts";
import { guestOf } from "../../domain/signing-in/persons.ts";
import { recordOf } from "./admin-log.ts";
import { findIdentities, insertIdentity, inTeam, selectIdentities, updateIdentity } from "./identities.ts";
import { removeAccount } from "./providers.ts";
import { deleteExpiredSessions, endSignIns, insertSession, removeLinks } from "./sessions.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

export function* findPerson(context: ReadContext, identityId: string): Work<IdentityRecord | undefined> {
  const { id, kind } = context.tables.identities;
  return (yield* selectIdentities(context, and(eq(id, identityId), eq(kind, "person"))))[0];
}

export function* importPerson(
  context: ChangeContext,
  wanted: IdentityRecord,
  keepsScopes: boolean,
): Work<Awaited<ReturnType<PersonStore["importPerson"]>>> {
  const known = yield* findKnown(context, wanted);
  const guest = yield* admit(context, wanted);
  const setsScopes = !keepsScopes && guest.scopes.join() !== wanted.scopes.join();
  const person = setsScopes ? yield* updateIdentity(context, guest, { scopes: wanted.scopes }) : guest;
  const change = changeOf(known, person);
  if (change !== "unchanged") {
    const details = { change, person_name: person.personName, scopes: person.scopes };
    yield* recordOf(context, "person.imported", person, details);
  }
  return { person, change };
}

function changeOf(before: IdentityRecord | undefined, after: IdentityRecord): ImportChange {
  if (!before) return "added";
  if (before.disabledAt !== null) return "restored";
  const isSame = before.personName === after.personName && before.scopes.join() === after.scopes.join();
  return isSame ? "unchanged" : "changed";
}

export function findPersons(
  context: ReadContext,
  addressOrId: string,
  teamId: string | undefined,
): Work<IdentityRecord[]> {
  const { id, kind, name } = context.tables.identities;
  // As signing in compares addresses.
  const isTheirs = or(eq(id, addressOrId), sql`lower(${name}) = lower(${addressOrId})`);
  return selectIdentities(context, and(eq(kind, "person"), isTheirs, inTeam(context, teamId)));
}

/** The identity of the team that has the address of a person, or will be theirs; undefined for nobody. */
function* findKnown(context: ReadContext, { name, teamId }: IdentityRecord): Work<IdentityRecord | undefined> {
  const exact = (yield* findIdentities(context, name, teamId)).find((each) => each.name === name);
  return exact ?? (yield* findPersons(context, name, teamId))[0];
}

export function* findSignInLink(context: ReadContext, tokenHash: Uint8Array): Work<SignInLinkRecord | undefined> {
  const { identities, signInLinks, teams } = context.tables;
  yield* timeOf(context);
  const [row] = yield* rowsOf(
    context.orm
      .select({ link: signInLinks, identity: identities, teamName: teams.name })
      .from(signInLinks)
      .innerJoin(identities, eq(signInLinks.identityId, identities.id))
      .innerJoin(teams, eq(identities.teamId, teams.id))
      .where(eq(signInLinks.tokenHash, tokenHash)),
  );
  if (!row) return undefined;
  const { createdAt, expiresAt } = row.link;
  return { identity: { ...row.identity, teamName: row.teamName }, createdAt, expiresAt };
}

export function* createSignInLink(
  context: ChangeContext,
  link: SignInLinkRecord,
  tokenHash: Uint8Array,
): Work<SignInLinkRecord> {
  const { orm, clock } = context;
  const { signInLinks } = context.tables;
  yield* rowsOf(orm.delete(signInLinks).where(lte(signInLinks.expiresAt, clock.now())));
  yield* deleteExpiredSessions(context);
  const identity = yield* admit(context, link.identity);
  yield* removeLinks(context, identity.id);
  const { createdAt, expiresAt } = link;
  yield* rowsOf(
    orm.insert(signInLinks).values({ tokenHash, identityId: identity.id, purpose: "sign_in", createdAt, expiresAt }),
  );
  yield* recordOf(context, "person.invited", identity, { person_name: identity.personName });
  return { ...link, identity };
}

export function* tradeSignIn(
  context: ChangeContext,
  linkHash: Uint8Array,
  session: NewSession,
): Work<SessionRecord | undefined> {
  const link = yield* findSignInLink(context, linkHash);
  if (!link) return undefined;
  yield* removeLinks(context, link.identity.id);
  return yield* insertSession(context, link.identity, "link", session);
}

export function* deleteSignInLink(context: ChangeContext, tokenHash: Uint8Array): Work<void> {
  const link = context.operator && (yield* findSignInLink(context, tokenHash));
  const { signInLinks } = context.tables;
  yield* rowsOf(context.orm.delete(signInLinks).where(eq(signInLinks.tokenHash, tokenHash)));
  if (link) yield* recordOf(context, "person.invitation_withdrawn", link.identity);
}

export function* signOutPerson(context: ChangeContext, identityId: string): Work<void> {
  const person = yield* findPerson(context, identityId);
  if (!person) return;
  yield* endSignIns(context, person);
  yield* recordOf(context, "person.signed_out", person);
}

/** Creates a person, or enables and renames the existing one, as `guestOf` decides. */
function* admit(context: ChangeContext, wanted: IdentityRecord): Work<IdentityRecord> {
  const known = yield* findKnown(context, wanted);
  const guest = guestOf(known, wanted);
  const { disabledAt, personName } = guest;
  if (!known) yield* insertIdentity(context, guest);
  else if (known.disabledAt !== disabledAt || known.personName !== personName) {
    yield* updateIdentity(context, known, { disabledAt, personName });
    // Their address may have a new owner.
    if (known.disabledAt !== null) yield* removeAccount(context, known.id);
  }
  return guest;
}
