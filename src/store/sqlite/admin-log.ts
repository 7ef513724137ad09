import { and, desc, eq, gt, gte, lte } from "drizzle-orm";
import { MAX_ADMIN_LOG_ENTRIES } from "../../domain/ports/admin-log.ts";
import type { AdminLogEntry, AdminLogInput, AdminLogStore, Operator } from "../../domain/ports/admin-log.ts";
import type { StoreContext } from "./engine/context.ts";
import { adminLog, teams } from "./schema.ts";

/** The deed, without who did it and when. The team has the name that it has then, unless this says otherwise. */
type AdminNote = Pick<AdminLogEntry, "action"> & Partial<Omit<AdminLogEntry, "id" | "at" | "action" | keyof Operator>>;

/** Writes down what an admin command changes. */
export interface AdminLogWriter {
  /** To be called inside the write that does it. Of a server, which is no admin, nothing is written. */
  record(note: AdminNote): void;
}

export function createAdminLog({
  orm,
  clock,
  operator,
}: Pick<StoreContext, "orm" | "clock" | "operator">): AdminLogWriter & AdminLogStore {
  const nameOf = (teamId: string | null): string | null =>
    (teamId === null ? undefined : orm.select().from(teams).where(eq(teams.id, teamId)).get()?.name) ?? null;
  return {
    record(note) {
      if (!operator) return;
      const { subjectId = null, subjectName = null, teamId = null, details = {} } = note;
      const teamName = note.teamName ?? nameOf(teamId);
      const what = { action: note.action, subjectId, subjectName, teamId, teamName, details };
      const { id } = orm
        .insert(adminLog)
        .values({ at: clock.now(), user: operator.user, sudoUser: operator.sudoUser, ...what })
        .returning({ id: adminLog.id })
        .get();
      // A trigger keeps whatever is younger than that from being deleted.
      orm
        .delete(adminLog)
        .where(lte(adminLog.id, id - MAX_ADMIN_LOG_ENTRIES))
        .run();
    },
    async listAdminLog({ afterId, since, limit }: AdminLogInput) {
      const isMeant = and(
        afterId === undefined ? undefined : gt(adminLog.id, afterId),
        since === undefined ? undefined : gte(adminLog.at, since),
      );
      const newestFirst = orm
        .select()
        .from(adminLog)
        .where(isMeant)
        .orderBy(desc(adminLog.id))
        .limit(limit ?? MAX_ADMIN_LOG_ENTRIES)
        .all();
      return newestFirst.toReversed();
    },
  };
}
