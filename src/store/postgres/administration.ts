import { createAdministration, workOf } from "../administration/administration.ts";
import type { AdministrationStore } from "../administration/administration.ts";
import { toTables } from "../administration/tables.ts";
import type { Orm } from "../administration/tables.ts";
import { createUses, REFUSAL_MS } from "../administration/uses.ts";
import { awaitWork } from "../administration/work.ts";
import { emptyTeam, eraseStored } from "./emptying.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Lease } from "./engine/leases.ts";
import * as schema from "./schema.ts";

/** Administration over PostgreSQL. The process that holds `lease` calls webhooks. */
export function createAdministrationStore(context: StoreContext, lease: Lease): AdministrationStore {
  const { database, writer, clock, operator } = context;
  const tables = toTables(schema);
  const reading = { orm: database.orm as unknown as Orm, tables, clock, isShared: true };
  const administration = createAdministration({
    read: (work) => awaitWork(work(reading)),
    change: (name, input, signal) =>
      writer.alone(async ({ orm }, append) => {
        if (signal?.aborted) return "abandoned";
        const erase = (teamId: string) => eraseStored(orm, teamId);
        // The transaction has raised the clock.
        const change = { orm: orm as unknown as Orm, tables, clock, isShared: false, operator };
        return awaitWork(workOf(name, { ...change, append, eraseStored: erase }, input));
      }),
  });
  return {
    ...administration,
    recordSessionUse: createUses(context, "session_use", (use) => administration.noteSessionUse(use)),
    recordKeyRefusal: createUses(
      context,
      "key_refusal",
      ({ id }, network) => administration.noteKeyRefusal(id, network),
      REFUSAL_MS,
    ),
    emptyTeam: (id) => emptyTeam(context, id),
    mayCallWebhooks: () => lease.hold(),
  };
}
