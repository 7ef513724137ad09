import { and, eq, lte } from "drizzle-orm";
import type { HumanTokenPurpose, HumanTokenRecord, PersonStore } from "../../domain/identity-ports.ts";
import type { StoreContext } from "./context.ts";
import { humanTokens, identities, teams } from "./schema.ts";

/** Sign-in links and sessions. Rare beside what scripts do, so that nothing here is prepared. */
export function createPersonStore({ orm, writer, clock, keepTime }: StoreContext): PersonStore {
  const find = (tokenHash: Uint8Array, purpose: HumanTokenPurpose): HumanTokenRecord | undefined => {
    const row = orm
      .select({ token: humanTokens, identity: identities, teamName: teams.name })
      .from(humanTokens)
      .innerJoin(identities, eq(humanTokens.identityId, identities.id))
      .innerJoin(teams, eq(identities.teamId, teams.id))
      .where(and(eq(humanTokens.tokenHash, tokenHash), eq(humanTokens.purpose, purpose)))
      .get();
    if (!row) return undefined;
    const { createdAt, expiresAt } = row.token;
    return { identity: { ...row.identity, teamName: row.teamName }, purpose, createdAt, expiresAt };
  };

  const insert = ({ identity, purpose, createdAt, expiresAt }: HumanTokenRecord, tokenHash: Uint8Array) =>
    orm.insert(humanTokens).values({ tokenHash, identityId: identity.id, purpose, createdAt, expiresAt }).run();

  const remove = (tokenHash: Uint8Array) =>
    void orm.delete(humanTokens).where(eq(humanTokens.tokenHash, tokenHash)).run();

  /** Whoever makes another link, or has used one, wants the former ones to let nobody in. */
  const removeSignIns = (identityId: string) =>
    orm
      .delete(humanTokens)
      .where(and(eq(humanTokens.identityId, identityId), eq(humanTokens.purpose, "sign_in")))
      .run();

  return {
    keepTime,
    createHumanToken: (token, tokenHash) =>
      writer.write("essential", () => {
        orm.delete(humanTokens).where(lte(humanTokens.expiresAt, clock.now())).run();
        if (token.purpose === "sign_in") removeSignIns(token.identity.id);
        insert(token, tokenHash);
      }),
    findHumanToken: async (tokenHash, purpose) => find(tokenHash, purpose),
    tradeSignIn: (signInHash, { tokenHash, expiresAt }, signal) =>
      writer.write("essential", () => {
        if (signal?.aborted) return "abandoned";
        const link = find(signInHash, "sign_in");
        if (!link) return undefined;
        removeSignIns(link.identity.id);
        insert({ identity: link.identity, purpose: "session", createdAt: clock.now(), expiresAt }, tokenHash);
        return link;
      }),
    deleteHumanToken: (tokenHash) => writer.write("essential", () => remove(tokenHash)),
    deleteHumanTokensOf: (identityId) =>
      writer.write("essential", () => void orm.delete(humanTokens).where(eq(humanTokens.identityId, identityId)).run()),
  };
}
