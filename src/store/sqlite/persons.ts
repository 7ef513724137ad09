import { and, eq, lte } from "drizzle-orm";
import { guestOf } from "../../domain/persons.ts";
import type { AdminAction, AdminDetails } from "../../domain/ports/admin-log.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type { PersonStore, PersonTokenPurpose, PersonTokenRecord } from "../../domain/ports/persons.ts";
import { createAdminLog } from "./admin-log.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Transaction } from "./engine/transaction.ts";
import { findIdentities, insertIdentity, selectIdentities } from "./identities.ts";
import { identities, personTokens, teams } from "./schema.ts";

/** Sign-in links and sessions. Rare beside what scripts do, so that nothing here is prepared. */
export function createPersonStore(context: StoreContext): PersonStore {
  const run = context.operations.add(personOperations(context));
  return {
    keepTime: context.keepTime,
    createPersonToken: (token, tokenHash) => run("createPersonToken", { token, tokenHash }),
    findPersonToken: async (tokenHash, purpose) => findToken(context, tokenHash, purpose),
    tradeSignIn: (signInHash, session, signal) => run("tradeSignIn", { signInHash, ...session }, signal),
    findPerson: async (identityId) => findPerson(context, identityId),
    deletePersonToken: (tokenHash) => run("deletePersonToken", { tokenHash }),
    deletePersonTokensOf: (identityId) => run("deletePersonTokensOf", { identityId }),
  };
}

function findToken(
  { orm }: Pick<StoreContext, "orm">,
  tokenHash: Uint8Array,
  purpose: PersonTokenPurpose,
): PersonTokenRecord | undefined {
  const row = orm
    .select({ token: personTokens, identity: identities, teamName: teams.name })
    .from(personTokens)
    .innerJoin(identities, eq(personTokens.identityId, identities.id))
    .innerJoin(teams, eq(identities.teamId, teams.id))
    .where(and(eq(personTokens.tokenHash, tokenHash), eq(personTokens.purpose, purpose)))
    .get();
  if (!row) return undefined;
  const { createdAt, expiresAt } = row.token;
  return { identity: { ...row.identity, teamName: row.teamName }, purpose, createdAt, expiresAt };
}

function findPerson(context: Pick<StoreContext, "orm">, identityId: string): IdentityRecord | undefined {
  const isMeant = and(eq(identities.id, identityId), eq(identities.kind, "person"));
  return selectIdentities(context, isMeant)[0];
}

interface SignInTrade {
  readonly signInHash: Uint8Array;
  readonly tokenHash: Uint8Array;
  readonly expiresAt: number;
  readonly formerHash?: Uint8Array | undefined;
}

function personOperations(context: StoreContext) {
  const { orm, clock } = context;
  const log = createAdminLog(context);
  const note = (action: AdminAction, { id, name, teamId, teamName }: IdentityRecord, details: AdminDetails = {}) =>
    log.record({ action, subjectId: id, subjectName: name, teamId, teamName, details });
  const insert = ({ identity, purpose, createdAt, expiresAt }: PersonTokenRecord, tokenHash: Uint8Array) =>
    orm.insert(personTokens).values({ tokenHash, identityId: identity.id, purpose, createdAt, expiresAt }).run();

  /**
   * Removes the sign-in links of a person: after a newer one is made, or one is used, the others must let nobody in.
   */
  const removeSignIns = (identityId: string) =>
    orm
      .delete(personTokens)
      .where(and(eq(personTokens.identityId, identityId), eq(personTokens.purpose, "sign_in")))
      .run();

  const remove = (tokenHash: Uint8Array) =>
    void orm.delete(personTokens).where(eq(personTokens.tokenHash, tokenHash)).run();

  const admit = (wanted: IdentityRecord): IdentityRecord => {
    const known = findIdentities(context, wanted.name, wanted.teamId).find(({ name }) => name === wanted.name);
    const guest = guestOf(known, wanted);
    if (!known) insertIdentity(context, guest);
    if (known && (known.disabledAt !== null || known.personName !== guest.personName)) {
      const { disabledAt, personName } = guest;
      orm.update(identities).set({ disabledAt, personName }).where(eq(identities.id, guest.id)).run();
    }
    return guest;
  };

  return {
    createPersonToken: {
      kind: "essential",
      run(_tx: Transaction, { token, tokenHash }: { token: PersonTokenRecord; tokenHash: Uint8Array }) {
        orm.delete(personTokens).where(lte(personTokens.expiresAt, clock.now())).run();
        const identity = admit(token.identity);
        if (token.purpose === "sign_in") removeSignIns(identity.id);
        insert({ ...token, identity }, tokenHash);
        if (token.purpose === "sign_in") note("person.invited", identity, { person_name: identity.personName });
        return { ...token, identity };
      },
    },
    tradeSignIn: {
      kind: "essential",
      run(_tx: Transaction, trade: SignInTrade) {
        const { signInHash, tokenHash, expiresAt, formerHash } = trade;
        const link = findToken({ orm }, signInHash, "sign_in");
        if (!link) return undefined;
        removeSignIns(link.identity.id);
        if (formerHash) remove(formerHash);
        insert({ identity: link.identity, purpose: "session", createdAt: clock.now(), expiresAt }, tokenHash);
        return link;
      },
    },
    deletePersonToken: {
      kind: "essential",
      run(_tx: Transaction, { tokenHash }: { tokenHash: Uint8Array }) {
        const link = context.operator && findToken(context, tokenHash, "sign_in");
        remove(tokenHash);
        if (link) note("person.invitation_withdrawn", link.identity);
      },
    },
    deletePersonTokensOf: {
      kind: "essential",
      run(_tx: Transaction, { identityId }: { identityId: string }) {
        orm.delete(personTokens).where(eq(personTokens.identityId, identityId)).run();
        const person = context.operator && findPerson(context, identityId);
        if (person) note("person.signed_out", person);
      },
    },
  } as const;
}
