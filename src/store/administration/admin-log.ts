import { and, desc, eq, gt, gte, lte } from "drizzle-orm";
import { MAX_ADMIN_LOG_ENTRIES } from "../../domain/ports/admin-log.ts";
import type {
  AdminAction,
  AdminDetails,
  AdminLogEntry,
  AdminLogInput,
  Operator,
} from "../../domain/ports/admin-log.ts";
import { rowsOf } from "./work.ts";
import type { ChangeContext, ReadContext, Work } from "./work.ts";

/** An entry of the audit log without its operator and time. Without `teamName`, the team's name is looked up. */
export type AdminNote = Pick<AdminLogEntry, "action"> &
  Partial<Omit<AdminLogEntry, "id" | "at" | "action" | keyof Operator>>;

type Recording = "orm" | "tables" | "clock" | "operator";

/** Adds an entry to the audit log in the transaction of the change. Does nothing in a server, which has no operator. */
export function* record(
  { orm, tables: { adminLog, teams }, clock, operator }: Pick<ChangeContext, Recording>,
  note: AdminNote,
): Work<void> {
  if (!operator) return;
  const { subjectId = null, subjectName = null, teamId = null, details = {} } = note;
  const [team] =
    teamId === null || note.teamName ? [] : yield* rowsOf(orm.select().from(teams).where(eq(teams.id, teamId)));
  const teamName = note.teamName ?? team?.name ?? null;
  const what = { action: note.action, subjectId, subjectName, teamId, teamName, details };
  const [entry] = yield* rowsOf(
    orm
      .insert(adminLog)
      .values({ at: clock.now(), user: operator.user, sudoUser: operator.sudoUser, ...what })
      .returning({ id: adminLog.id }),
  );
  // A trigger refuses to delete newer entries.
  yield* rowsOf(orm.delete(adminLog).where(lte(adminLog.id, (entry?.id ?? 0) - MAX_ADMIN_LOG_ENTRIES)));
}

/** Adds an entry about an identity, team or key, from its ID, name and team. */
export function recordOf(
  context: ChangeContext,
  action: AdminAction,
  subject: { readonly id: string; readonly name: string | null; readonly teamId: string; readonly teamName: string },
  details: AdminDetails = {},
): Work<void> {
  const { id, name, teamId, teamName } = subject;
  return record(context, { action, subjectId: id, subjectName: name, teamId, teamName, details });
}

export function* listAdminLog(
  { orm, tables: { adminLog } }: ReadContext,
  { afterId, since, limit }: AdminLogInput,
): Work<AdminLogEntry[]> {
  const condition = and(
    afterId === undefined ? undefined : gt(adminLog.id, afterId),
    since === undefined ? undefined : gte(adminLog.at, since),
  );
  const newestFirst = yield* rowsOf(
    orm
      .select()
      .from(adminLog)
      .where(condition)
      .orderBy(desc(adminLog.id))
      .limit(limit ?? MAX_ADMIN_LOG_ENTRIES),
  );
  return newestFirst.toReversed();
}
