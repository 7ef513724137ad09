import { record } from "../administration/admin-log.ts";
import type { AdminNote } from "../administration/admin-log.ts";
import { toTables } from "../administration/tables.ts";
import { runWork } from "../administration/work.ts";
import type { StoreContext } from "./engine/context.ts";
import * as schema from "./schema.ts";

/** Adds entries to the admin log, inside a transaction; `record` does nothing in a server, which has no operator. */
export function createAdminLog(context: Pick<StoreContext, "orm" | "clock" | "operator">): {
  readonly record: (note: AdminNote) => void;
} {
  return { record: (note) => runWork(record({ ...context, tables: toTables(schema) }, note)) };
}
