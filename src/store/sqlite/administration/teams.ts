import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { AdminAction, AdminDetails } from "../../../domain/ports/admin-log.ts";
import type { TeamRecord } from "../../../domain/ports/identities.ts";
import type { AdminLogWriter } from "../admin-log.ts";
import type { StoreContext } from "../engine/context.ts";
import type { Transaction } from "../engine/transaction.ts";
import { ciphertextRowBytes } from "../files/ciphertext-pages.ts";
import {
  apiKeys,
  ciphertexts,
  events,
  idempotentCalls,
  identities,
  personTokens,
  requestNotes,
  requests,
  secrets,
  serverSettings,
  teams,
  webhookDeliveries,
  webhooks,
} from "../schema.ts";
import { requestBytes, ROW_BYTES, secretBytes } from "../stored-bytes.ts";
import { changesKeys } from "./key-changes.ts";

/** The most secrets or requests of a step: meanwhile the server waits. */
const STEP_ROWS = 50;

/** The length of what was encrypted. */
const bytes = sql<number>`length(ciphertext)`;

interface Chosen {
  readonly id: string;
}

export function teamOperations(context: StoreContext, log: AdminLogWriter) {
  const { orm } = context;
  const find = (id: string): TeamRecord | undefined => orm.select().from(teams).where(eq(teams.id, id)).get();
  const note = (action: AdminAction, { id, name }: TeamRecord, details: AdminDetails = {}) =>
    log.record({ action, subjectId: id, subjectName: name, teamId: id, teamName: name, details });

  return {
    keepTeamQuota: {
      kind: "essential",
      run(_tx: Transaction, teamQuotaBytes: number): void {
        const target = serverSettings.id;
        orm
          .insert(serverSettings)
          .values({ id: 1, teamQuotaBytes })
          .onConflictDoUpdate({ target, set: { teamQuotaBytes } })
          .run();
      },
    } as const,
    createTeam: changesKeys(context, (team: TeamRecord): "created" | "name_taken" => {
      const inserted = orm
        .insert(teams)
        .values(team)
        .onConflictDoNothing({ target: teams.name })
        .returning({ id: teams.id })
        .all();
      if (inserted.length === 0) return "name_taken";
      note("team.created", team);
      return "created";
    }),
    renameTeam: changesKeys(context, ({ id, name }: Chosen & { readonly name: string }) => {
      const before = find(id);
      if (!before || before.name === name) return before;
      if (orm.select().from(teams).where(eq(teams.name, name)).get()) return "name_taken";
      orm.update(teams).set({ name }).where(eq(teams.id, id)).run();
      const after = { ...before, name };
      note("team.renamed", after, { former_name: before.name });
      return after;
    }),
    setTeamQuota: changesKeys(context, ({ id, quotaBytes }: Chosen & { readonly quotaBytes: number | null }) => {
      const before = find(id);
      if (!before || before.quotaBytes === quotaBytes) return before;
      orm.update(teams).set({ quotaBytes }).where(eq(teams.id, id)).run();
      note("team.quota_changed", before, { quota_bytes: quotaBytes, former_quota_bytes: before.quotaBytes });
      return { ...before, quotaBytes };
    }),
    ...teamEndings(context, note),
  };
}

/** A team is deleted in steps, so that a large one holds nobody up: closed, emptied, and then gone. */
function teamEndings(
  context: StoreContext,
  note: (action: AdminAction, team: TeamRecord, details?: AdminDetails) => void,
) {
  const { orm, clock } = context;
  const find = (id: string): TeamRecord | undefined => orm.select().from(teams).where(eq(teams.id, id)).get();

  const hasLive = (teamId: string): boolean => {
    const now = clock.now();
    const secret = orm
      .select({ id: secrets.id })
      .from(secrets)
      .where(and(eq(secrets.teamId, teamId), eq(secrets.state, "available"), gt(secrets.expiresAt, now)))
      .limit(1);
    const request = orm
      .select({ id: requests.id })
      .from(requests)
      .where(
        and(
          eq(requests.teamId, teamId),
          or(eq(requests.state, "open"), eq(requests.state, "paused")),
          gt(requests.expiresAt, now),
        ),
      )
      .limit(1);
    return secret.all().length > 0 || request.all().length > 0;
  };

  const forgetCalls = (tx: Transaction, teamId: string, ids: readonly string[]) => {
    const { subjectId } = idempotentCalls;
    const calls = orm.delete(idempotentCalls).where(inArray(subjectId, ids)).returning({ subjectId }).all();
    tx.charge(teamId, -ROW_BYTES.call * calls.length);
    tx.truncateWal();
  };

  /** Erases the next secrets of a team, and what hangs on them. Returns false when there are none. So does the next one. */
  const eraseSecrets = (tx: Transaction, teamId: string): boolean => {
    const rows = orm.select().from(secrets).where(eq(secrets.teamId, teamId)).limit(STEP_ROWS).all();
    if (rows.length === 0) return false;
    const seqs = rows.map(({ seq }) => seq);
    const sealed = orm.delete(ciphertexts).where(inArray(ciphertexts.secretSeq, seqs)).returning({ bytes }).all();
    for (const each of sealed) tx.charge(teamId, -ciphertextRowBytes(each.bytes));
    orm.delete(secrets).where(inArray(secrets.seq, seqs)).run();
    for (const row of rows) tx.charge(teamId, -secretBytes(row));
    forgetCalls(
      tx,
      teamId,
      rows.map(({ id }) => id),
    );
    return true;
  };

  const eraseRequests = (tx: Transaction, teamId: string): boolean => {
    const rows = orm.select().from(requests).where(eq(requests.teamId, teamId)).limit(STEP_ROWS).all();
    if (rows.length === 0) return false;
    const seqs = rows.map(({ seq }) => seq);
    const sealed = orm.delete(requestNotes).where(inArray(requestNotes.requestSeq, seqs)).returning({ bytes }).all();
    for (const each of sealed) tx.charge(teamId, -ciphertextRowBytes(each.bytes));
    orm.delete(requests).where(inArray(requests.seq, seqs)).run();
    for (const row of rows) tx.charge(teamId, -requestBytes(row));
    forgetCalls(
      tx,
      teamId,
      rows.map(({ id }) => id),
    );
    return true;
  };
  const erase = (tx: Transaction, teamId: string) => eraseSecrets(tx, teamId) || eraseRequests(tx, teamId);

  return {
    closeTeam: changesKeys(context, ({ id, force }: Chosen & { readonly force: boolean }) => {
      const team = find(id);
      if (!team) return undefined;
      if (!force && hasLive(id)) return "live";
      const closed = orm
        .update(identities)
        .set({ disabledAt: clock.now() })
        .where(and(eq(identities.teamId, id), isNull(identities.disabledAt)))
        .returning({ id: identities.id })
        .all();
      const members = orm.select({ id: identities.id }).from(identities).where(eq(identities.teamId, id));
      orm.delete(personTokens).where(inArray(personTokens.identityId, members)).run();
      if (closed.length > 0) note("team.closed", team);
      return "closed";
    }),
    emptyTeam: {
      kind: "essential",
      run: (tx: Transaction, { id }: Chosen): boolean => erase(tx, id),
    } as const,
    deleteTeam: changesKeys(context, ({ id }: Chosen, tx): boolean => {
      const team = find(id);
      if (!team) return false;
      // Calls that were under way when the team was closed.
      while (erase(tx, id));
      const members = orm.select({ id: identities.id }).from(identities).where(eq(identities.teamId, id));
      const ofTeam = orm.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.teamId, id));
      orm.delete(webhookDeliveries).where(inArray(webhookDeliveries.webhookId, ofTeam)).run();
      orm.delete(webhooks).where(eq(webhooks.teamId, id)).run();
      orm.delete(events).where(eq(events.teamId, id)).run();
      orm.delete(personTokens).where(inArray(personTokens.identityId, members)).run();
      orm.delete(apiKeys).where(inArray(apiKeys.identityId, members)).run();
      orm.delete(identities).where(eq(identities.teamId, id)).run();
      orm.delete(teams).where(eq(teams.id, id)).run();
      note("team.deleted", team);
      return true;
    }),
  };
}
