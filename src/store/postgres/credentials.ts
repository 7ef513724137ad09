import { eq } from "drizzle-orm";
import type { CredentialStore } from "../../domain/ports/credentials.ts";
import type { StoreContext } from "./engine/context.ts";
import { createKeyReads } from "./key-reads.ts";
import { keepTime } from "./lists.ts";
import { teams } from "./schema.ts";

const MINUTE_MS = 60_000;

type Credentials = Pick<CredentialStore, "keepTime" | "findKeyByHash" | "recordKeyUse" | "findTeamUsage">;

export function createCredentialStore(context: StoreContext): Credentials {
  const { database, writer, clock } = context;
  const { orm } = database;
  const lastUsed = new Map<string, number>();
  return {
    keepTime: (epochMs) => keepTime(context, epochMs),
    findKeyByHash: createKeyReads(context),
    recordKeyUse(id) {
      const at = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
      if (lastUsed.get(id) === at) return;
      lastUsed.set(id, at);
      writer
        .write({}, (tx) => void tx.effects.keyUses.push({ id, at }))
        .catch((error: unknown) => {
          // Only this update is lost: the next use of the key retries it.
          lastUsed.delete(id);
          context.report("key_use", error);
        });
    },
    async findTeamUsage(teamId) {
      const [team] = await orm.select().from(teams).where(eq(teams.id, teamId));
      return { storedBytes: team?.storedBytes ?? 0, quotaBytes: team?.quotaBytes ?? null };
    },
  };
}
