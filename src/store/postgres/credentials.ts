import { eq } from "drizzle-orm";
import type { CredentialStore } from "../../domain/ports/credentials.ts";
import { createUses } from "../administration/uses.ts";
import type { StoreContext } from "./engine/context.ts";
import { createKeyReads } from "./key-reads.ts";
import { keepTime } from "./lists.ts";
import { teams } from "./schema.ts";

type Credentials = Pick<CredentialStore, "keepTime" | "findKeyByHash" | "recordKeyUse" | "findTeamUsage">;

export function createCredentialStore(context: StoreContext): Credentials {
  const { database, writer } = context;
  return {
    keepTime: (epochMs) => keepTime(context, epochMs),
    findKeyByHash: createKeyReads(context),
    recordKeyUse: createUses(context, "key_use", (use) => writer.write({}, (tx) => void tx.effects.keyUses.push(use))),
    async findTeamUsage(teamId) {
      const [team] = await database.orm.select().from(teams).where(eq(teams.id, teamId));
      return { storedBytes: team?.storedBytes ?? 0, quotaBytes: team?.quotaBytes ?? null };
    },
  };
}
