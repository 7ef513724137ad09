import { getTableColumns } from "drizzle-orm";
import { named } from "./prepared.ts";
import { events, identities } from "./schema.ts";

/** The columns of an event as it is read, joined with the identity that caused it. */
export function listedColumns() {
  const { seq: _seq, historyOf: _history, ...columns } = getTableColumns(events);
  return named({ ...columns, actorKind: identities.kind });
}
