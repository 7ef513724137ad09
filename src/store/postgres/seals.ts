import type { LogReader, PlacedEvent, SealRecord } from "../../domain/ports/events.ts";
import { FIRST_SEAL, isMoreDue, nextSeal } from "../../domain/values/seals.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Connection } from "./engine/database.ts";
import { columnList, toRecordset, toRow } from "./engine/rows.ts";
import { raiseClock } from "./lists.ts";
import { events, eventSeals } from "./schema.ts";

/** Runs a statement, on one connection or any. */
type Ask = Connection["run"];

const INSERT = `INSERT INTO event_seals (${columnList(eventSeals)})
  SELECT ${columnList(eventSeals)} FROM json_populate_recordset(null::event_seals, $1::text::json)
  ON CONFLICT DO NOTHING`;

/**
 * Seals some of the events that have no seal yet, when it is time, outside of the writer. Resolves whether there may be
 * more. Places ascend in the order of commits, so no event comes before a seal later. If two processes do this at once,
 * the first one's seal stays.
 */
export async function sealEvents(context: StoreContext, limit: number): Promise<boolean> {
  const { database } = context;
  const last = await findLast(database.read);
  const former = last ?? FIRST_SEAL;
  const unsealed = await listPlaced(database.read, former.lastPlace, Number.MAX_SAFE_INTEGER, limit);
  if (unsealed.length === 0) return false;
  const now = await raiseClock(context);
  const seal = nextSeal(former, unsealed, now);
  if (!seal) return false;
  await database.read(INSERT, [toRecordset(eventSeals, last ? [seal] : [FIRST_SEAL, seal])]);
  return isMoreDue(seal, unsealed, limit, now);
}

/** Reads the log of the database of `connection`. */
export function createLogReader({ run }: Pick<Connection, "run">): LogReader {
  return {
    async listSeals(after, limit) {
      const rows = await run("SELECT * FROM event_seals WHERE id > $1::bigint ORDER BY id LIMIT $2", [after, limit]);
      return rows.map((row) => toRow(eventSeals, row));
    },
    lastSeal: () => findLast(run),
    listPlaced: (after, last, limit) => listPlaced(run, after, last, limit),
    async listDeletedTeams() {
      const rows = await run("SELECT subject_id FROM admin_log WHERE action = 'team.deleted'");
      return new Set(rows.map((row) => String(row["subject_id"])));
    },
  };
}

async function findLast(ask: Ask): Promise<SealRecord | undefined> {
  const [row] = await ask("SELECT * FROM event_seals ORDER BY id DESC LIMIT 1");
  return row && toRow(eventSeals, row);
}

async function listPlaced(ask: Ask, after: number, last: number, limit: number): Promise<PlacedEvent[]> {
  // With both ends in the condition, PostgreSQL without statistics would read and sort the whole table.
  const rows = await ask("SELECT * FROM events WHERE place > $1::bigint ORDER BY place LIMIT $2", [after, limit]);
  return rows.map((row) => toRow(events, row)).filter(({ place }) => place <= last);
}
