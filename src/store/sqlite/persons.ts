import { and, eq, lte } from "drizzle-orm";
import type { PersonTokenPurpose, PersonTokenRecord, PersonStore } from "../../domain/identity-ports.ts";
import type { StoreContext } from "./engine/context.ts";
import { personTokens, identities, teams } from "./schema.ts";

/** Sign-in links and sessions. Rare beside what scripts do, so that nothing here is prepared. */
export function createPersonStore({ orm, writer, clock, keepTime }: StoreContext): PersonStore {
  const find = (tokenHash: Uint8Array, purpose: PersonTokenPurpose): PersonTokenRecord | undefined => {
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
  };

  const insert = ({ identity, purpose, createdAt, expiresAt }: PersonTokenRecord, tokenHash: Uint8Array) =>
    orm.insert(personTokens).values({ tokenHash, identityId: identity.id, purpose, createdAt, expiresAt }).run();

  const remove = (tokenHash: Uint8Array) =>
    void orm.delete(personTokens).where(eq(personTokens.tokenHash, tokenHash)).run();

  /** Whoever makes another link, or has used one, wants the former ones to let nobody in. */
  const removeSignIns = (identityId: string) =>
    orm
      .delete(personTokens)
      .where(and(eq(personTokens.identityId, identityId), eq(personTokens.purpose, "sign_in")))
      .run();

  return {
    keepTime,
    createPersonToken: (token, tokenHash) =>
      writer.write("essential", () => {
        orm.delete(personTokens).where(lte(personTokens.expiresAt, clock.now())).run();
        if (token.purpose === "sign_in") removeSignIns(token.identity.id);
        insert(token, tokenHash);
      }),
    findPersonToken: async (tokenHash, purpose) => find(tokenHash, purpose),
    tradeSignIn: (signInHash, { tokenHash, expiresAt }, signal) =>
      writer.write("essential", () => {
        if (signal?.aborted) return "abandoned";
        const link = find(signInHash, "sign_in");
        if (!link) return undefined;
        removeSignIns(link.identity.id);
        insert({ identity: link.identity, purpose: "session", createdAt: clock.now(), expiresAt }, tokenHash);
        return link;
      }),
    deletePersonToken: (tokenHash) => writer.write("essential", () => remove(tokenHash)),
    deletePersonTokensOf: (identityId) =>
      writer.write(
        "essential",
        () => void orm.delete(personTokens).where(eq(personTokens.identityId, identityId)).run(),
      ),
  };
}
