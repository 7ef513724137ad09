import { and, eq, lte } from "drizzle-orm";
import { guestOf } from "../../domain/persons.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type { PersonStore, PersonTokenPurpose, PersonTokenRecord } from "../../domain/ports/persons.ts";
import { noteIdentity } from "./admin-log.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Orm } from "./engine/database.ts";
import { findIdentities, insertIdentity, selectIdentities } from "./identities.ts";
import { keepTime, raiseClock } from "./lists.ts";
import { identities, personTokens, teams } from "./schema.ts";

/** Sign-in links and sessions. Rare beside what scripts do. */
export function createPersonStore(context: StoreContext): PersonStore {
  const { database, writer, clock } = context;
  return {
    keepTime: (epochMs) => keepTime(context, epochMs),
    createPersonToken: (token, tokenHash) =>
      writer.alone(async ({ orm }) => {
        await orm.delete(personTokens).where(lte(personTokens.expiresAt, clock.now()));
        const identity = await admit(orm, token.identity);
        if (token.purpose === "sign_in") await removeSignIns(orm, identity.id);
        await insertToken(orm, { ...token, identity }, tokenHash);
        if (token.purpose === "sign_in") {
          await noteIdentity(context, orm, "person.invited", identity, { person_name: identity.personName });
        }
        return { ...token, identity };
      }),
    async findPersonToken(tokenHash, purpose) {
      await raiseClock(context);
      return findToken(database.orm, tokenHash, purpose);
    },
    tradeSignIn: (signInHash, { tokenHash, expiresAt, formerHash }, signal) =>
      writer.alone(async ({ orm }) => {
        if (signal?.aborted) return "abandoned";
        const link = await findToken(orm, signInHash, "sign_in");
        if (!link) return undefined;
        await removeSignIns(orm, link.identity.id);
        if (formerHash) await removeToken(orm, formerHash);
        const session = { identity: link.identity, purpose: "session", createdAt: clock.now(), expiresAt } as const;
        await insertToken(orm, session, tokenHash);
        return link;
      }),
    async findPerson(identityId) {
      return findPerson(database.orm, identityId);
    },
    deletePersonToken: (tokenHash) =>
      writer.alone(async ({ orm }) => {
        const link = context.operator && (await findToken(orm, tokenHash, "sign_in"));
        await removeToken(orm, tokenHash);
        if (link) await noteIdentity(context, orm, "person.invitation_withdrawn", link.identity);
      }),
    deletePersonTokensOf: (identityId) =>
      writer.alone(async ({ orm }) => {
        await orm.delete(personTokens).where(eq(personTokens.identityId, identityId));
        const person = context.operator && (await findPerson(orm, identityId));
        if (person) await noteIdentity(context, orm, "person.signed_out", person);
      }),
  };
}

async function findToken(
  orm: Orm,
  tokenHash: Uint8Array,
  purpose: PersonTokenPurpose,
): Promise<PersonTokenRecord | undefined> {
  const [row] = await orm
    .select({ token: personTokens, identity: identities, teamName: teams.name })
    .from(personTokens)
    .innerJoin(identities, eq(personTokens.identityId, identities.id))
    .innerJoin(teams, eq(identities.teamId, teams.id))
    .where(and(eq(personTokens.tokenHash, tokenHash), eq(personTokens.purpose, purpose)));
  if (!row) return undefined;
  const { createdAt, expiresAt } = row.token;
  return { identity: { ...row.identity, teamName: row.teamName }, purpose, createdAt, expiresAt };
}

async function findPerson(orm: Orm, identityId: string): Promise<IdentityRecord | undefined> {
  const [person] = await selectIdentities(orm, and(eq(identities.id, identityId), eq(identities.kind, "person")));
  return person;
}

async function insertToken(orm: Orm, token: PersonTokenRecord, tokenHash: Uint8Array): Promise<void> {
  const { identity, purpose, createdAt, expiresAt } = token;
  await orm.insert(personTokens).values({ tokenHash, identityId: identity.id, purpose, createdAt, expiresAt });
}

/** Removes the sign-in links of a person: after a newer one is made, or one is used, the others must let nobody in. */
async function removeSignIns(orm: Orm, identityId: string): Promise<void> {
  await orm
    .delete(personTokens)
    .where(and(eq(personTokens.identityId, identityId), eq(personTokens.purpose, "sign_in")));
}

async function removeToken(orm: Orm, tokenHash: Uint8Array): Promise<void> {
  await orm.delete(personTokens).where(eq(personTokens.tokenHash, tokenHash));
}

/** The person whom a link is for, who is made, or let in again, as `guestOf` says. */
async function admit(orm: Orm, wanted: IdentityRecord): Promise<IdentityRecord> {
  const known = (await findIdentities(orm, wanted.name, wanted.teamId)).find(({ name }) => name === wanted.name);
  const guest = guestOf(known, wanted);
  if (!known) await insertIdentity(orm, guest);
  if (known && (known.disabledAt !== null || known.personName !== guest.personName)) {
    const { disabledAt, personName } = guest;
    await orm.update(identities).set({ disabledAt, personName }).where(eq(identities.id, guest.id));
  }
  return guest;
}
