import { desc, eq, sql } from "drizzle-orm";
import type { CredentialStore } from "../../domain/ports/credentials.ts";
import * as requestLife from "../../domain/request-lifecycle.ts";
import * as secretLife from "../../domain/secret-lifecycle.ts";
import type { StoreContext } from "./engine/context.ts";
import { createKeyReads } from "./key-reads.ts";
import { keepTime } from "./lists.ts";
import { toRequestRecord } from "./request-changes.ts";
import { requests, secrets, teams } from "./schema.ts";
import { toSecretRecord } from "./secret-changes.ts";

const MINUTE_MS = 60_000;

/** A column with the latest time in the database. */
const latestAt = sql<number>`(SELECT latest_at FROM clocks)`.mapWith(Number);

export function createCredentialStore(context: StoreContext): Omit<CredentialStore, "markKeyExposed"> {
  const { database, writer, clock } = context;
  const { orm } = database;
  const lastUsed = new Map<string, number>();
  /** Raises the clock to the latest time that another process may have told. Returns the current time. */
  const raise = (rows: readonly { readonly latestAt: number }[]) => {
    if (rows[0]) clock.raise(rows[0].latestAt);
    return clock.now();
  };
  return {
    keepTime: (epochMs) => keepTime(context, epochMs),
    findKeyByHash: createKeyReads(context),
    async findSecretByClaimToken(hash, secretId) {
      const rows = await orm
        .select({ secret: secrets, latestAt })
        .from(secrets)
        .where(eq(secrets.claimTokenHash, hash))
        .orderBy(desc(eq(secrets.id, secretId ?? "")), desc(secrets.id))
        .limit(1);
      const now = raise(rows);
      const row = rows[0]?.secret;
      if (row && secretLife.isOverdue(row, now)) await keepTime(context, row.expiresAt);
      return row && toSecretRecord(secretLife.seenAt(row, now));
    },
    async findRequestBySubmitToken(hash, requestId) {
      const rows = await orm
        .select({ request: requests, latestAt })
        .from(requests)
        .where(eq(requests.submitTokenHash, hash))
        .orderBy(desc(eq(requests.id, requestId ?? "")), desc(requests.id))
        .limit(1);
      const now = raise(rows);
      const row = rows[0]?.request;
      if (row && requestLife.isOverdue(row, now)) await keepTime(context, row.expiresAt);
      return row && toRequestRecord(requestLife.seenAt(row, now));
    },
    recordKeyUse(id) {
      const at = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
      if (lastUsed.get(id) === at) return;
      lastUsed.set(id, at);
      writer
        .write({}, (tx) => void tx.traces.keyUses.push({ id, at }))
        .catch((error: unknown) => {
          // Only this note is lost: the next use of the key tries again.
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
