import { and, eq, lte } from "drizzle-orm";
import type { Placeholder } from "drizzle-orm";
import { guestOf } from "../../domain/persons.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type { PersonStore, PersonTokenPurpose, PersonTokenRecord } from "../../domain/ports/persons.ts";
import { recordOf } from "./admin-log.ts";
import { findIdentities, insertIdentity, selectIdentities, updateIdentity } from "./identities.ts";
import { rowsOf, timeOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

export function* findPerson(context: ReadContext, identityId: string): Work<IdentityRecord | undefined> {
  const { id, kind } = context.tables.identities;
  return (yield* selectIdentities(context, and(eq(id, identityId), eq(kind, "person"))))[0];
}

/** Builds a query for the token with this hash and purpose. */
export function selectToken(
  { orm, tables: { identities, personTokens, teams } }: Pick<ReadContext, "orm" | "tables">,
  tokenHash: Uint8Array | Placeholder,
  purpose: PersonTokenPurpose | Placeholder,
) {
  return orm
    .select({ token: personTokens, identity: identities, teamName: teams.name })
    .from(personTokens)
    .innerJoin(identities, eq(personTokens.identityId, identities.id))
    .innerJoin(teams, eq(identities.teamId, teams.id))
    .where(and(eq(personTokens.tokenHash, tokenHash), eq(personTokens.purpose, purpose)));
}

type TokenRow = Awaited<ReturnType<typeof selectToken>>[number];

/** Converts a row of `selectToken` to a record; undefined for undefined. */
export function toToken(row: TokenRow | undefined): PersonTokenRecord | undefined {
  if (!row) return undefined;
  const { purpose, createdAt, expiresAt } = row.token;
  return { identity: { ...row.identity, teamName: row.teamName }, purpose, createdAt, expiresAt };
}

export function* findPersonToken(
  context: ReadContext,
  tokenHash: Uint8Array,
  purpose: PersonTokenPurpose,
): Work<PersonTokenRecord | undefined> {
  yield* timeOf(context);
  return toToken((yield* rowsOf(selectToken(context, tokenHash, purpose)))[0]);
}

export function* createPersonToken(
  context: ChangeContext,
  token: PersonTokenRecord,
  tokenHash: Uint8Array,
): Work<PersonTokenRecord> {
  const { personTokens } = context.tables;
  yield* rowsOf(context.orm.delete(personTokens).where(lte(personTokens.expiresAt, context.clock.now())));
  const identity = yield* admit(context, token.identity);
  if (token.purpose === "sign_in") yield* removeSignIns(context, identity.id);
  yield* insertToken(context, { ...token, identity }, tokenHash);
  if (token.purpose === "sign_in") {
    yield* recordOf(context, "person.invited", identity, { person_name: identity.personName });
  }
  return { ...token, identity };
}

export function* tradeSignIn(
  context: ChangeContext,
  signInHash: Uint8Array,
  { tokenHash, expiresAt, formerHash }: Parameters<PersonStore["tradeSignIn"]>[1],
): Work<PersonTokenRecord | undefined> {
  const link = yield* findPersonToken(context, signInHash, "sign_in");
  if (!link) return undefined;
  const { identity } = link;
  yield* removeSignIns(context, identity.id);
  if (formerHash) yield* removeToken(context, formerHash);
  const session = { identity, purpose: "session", createdAt: context.clock.now(), expiresAt } as const;
  yield* insertToken(context, session, tokenHash);
  return link;
}

export function* deletePersonToken(context: ChangeContext, tokenHash: Uint8Array): Work<void> {
  const link = context.operator && (yield* findPersonToken(context, tokenHash, "sign_in"));
  yield* removeToken(context, tokenHash);
  if (link) yield* recordOf(context, "person.invitation_withdrawn", link.identity);
}

export function* deletePersonTokensOf(context: ChangeContext, identityId: string): Work<void> {
  const { personTokens } = context.tables;
  yield* rowsOf(context.orm.delete(personTokens).where(eq(personTokens.identityId, identityId)));
  const person = context.operator && (yield* findPerson(context, identityId));
  if (person) yield* recordOf(context, "person.signed_out", person);
}

/** Creates a person, or enables and renames the existing one, as `guestOf` decides. */
function* admit(context: ChangeContext, wanted: IdentityRecord): Work<IdentityRecord> {
  const found = yield* findIdentities(context, wanted.name, wanted.teamId);
  const known = found.find(({ name }) => name === wanted.name);
  const guest = guestOf(known, wanted);
  const { disabledAt, personName } = guest;
  if (!known) yield* insertIdentity(context, guest);
  else if (known.disabledAt !== disabledAt || known.personName !== personName) {
    yield* updateIdentity(context, known, { disabledAt, personName });
  }
  return guest;
}

function* insertToken(
  { orm, tables: { personTokens } }: ChangeContext,
  { identity, purpose, createdAt, expiresAt }: PersonTokenRecord,
  tokenHash: Uint8Array,
): Work<void> {
  yield* rowsOf(orm.insert(personTokens).values({ tokenHash, identityId: identity.id, purpose, createdAt, expiresAt }));
}

/** Deletes the sign-in links of a person. Once one was used or a newer one was created, no other may work. */
function* removeSignIns({ orm, tables: { personTokens } }: ChangeContext, identityId: string): Work<void> {
  const condition = and(eq(personTokens.identityId, identityId), eq(personTokens.purpose, "sign_in"));
  yield* rowsOf(orm.delete(personTokens).where(condition));
}

function* removeToken({ orm, tables: { personTokens } }: ChangeContext, tokenHash: Uint8Array): Work<void> {
  yield* rowsOf(orm.delete(personTokens).where(eq(personTokens.tokenHash, tokenHash)));
}
