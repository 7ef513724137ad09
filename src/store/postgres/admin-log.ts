import { and, desc, eq, gt, gte, lte } from "drizzle-orm";
import { MAX_ADMIN_LOG_ENTRIES } from "../../domain/ports/admin-log.ts";
import type {
  AdminAction,
  AdminDetails,
  AdminLogEntry,
  AdminLogInput,
  AdminLogStore,
  Operator,
} from "../../domain/ports/admin-log.ts";
import type { IdentityRecord } from "../../domain/ports/identities.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Orm } from "./engine/database.ts";
import { adminLog, teams } from "./schema.ts";

/** The deed, without who did it and when. The team has the name that it has then, unless this says otherwise. */
export type AdminNote = Pick<AdminLogEntry, "action"> &
  Partial<Omit<AdminLogEntry, "id" | "at" | "action" | keyof Operator>>;

/** Writes down what an admin command changes, in the transaction of `orm`. Of a server, which is no admin, nothing is written. */
export async function recordNote({ clock, operator }: StoreContext, orm: Orm, note: AdminNote): Promise<void> {
  if (!operator) return;
  const { subjectId = null, subjectName = null, teamId = null, details = {} } = note;
  const [team] = teamId === null ? [] : await orm.select().from(teams).where(eq(teams.id, teamId));
  const teamName = note.teamName ?? team?.name ?? null;
  const what = { action: note.action, subjectId, subjectName, teamId, teamName, details };
  const [entry] = await orm
    .insert(adminLog)
    .values({ at: clock.now(), user: operator.user, sudoUser: operator.sudoUser, ...what })
    .returning({ id: adminLog.id });
  // A trigger keeps whatever is younger than that from being deleted.
  await orm.delete(adminLog).where(lte(adminLog.id, (entry?.id ?? 0) - MAX_ADMIN_LOG_ENTRIES));
}

/** Writes down what was done to `identity`. */
export function noteIdentity(
  context: StoreContext,
  orm: Orm,
  action: AdminAction,
  { id, name, teamId, teamName }: IdentityRecord,
  details: AdminDetails = {},
): Promise<void> {
  return recordNote(context, orm, { action, subjectId: id, subjectName: name, teamId, teamName, details });
}

export function createAdminLogStore({ database: { orm } }: StoreContext): AdminLogStore {
  return {
    async listAdminLog({ afterId, since, limit }: AdminLogInput) {
      const isMeant = and(
        afterId === undefined ? undefined : gt(adminLog.id, afterId),
        since === undefined ? undefined : gte(adminLog.at, since),
      );
      const newestFirst = await orm
        .select()
        .from(adminLog)
        .where(isMeant)
        .orderBy(desc(adminLog.id))
        .limit(limit ?? MAX_ADMIN_LOG_ENTRIES);
      return newestFirst.toReversed();
    },
  };
}
