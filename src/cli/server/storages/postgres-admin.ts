import { createMonotonicClock } from "../../../domain/clocks.ts";
import { Refusal } from "../../../domain/errors.ts";
import { createIds } from "../../../domain/ids.ts";
import { systemRandom } from "../../../domain/random.ts";
import { createDatabaseTime } from "../../../store/postgres/engine/database-time.ts";
import { findRefusal } from "../../../store/postgres/engine/refusals.ts";
import { openPostgresStore } from "../../../store/postgres/store.ts";
import { CommandError } from "../../terminal/terminal.ts";
import { operatorOf } from "../administering/operators.ts";
import { asDisposable } from "./admin-work.ts";
import type { AdminCommandDeps, Administering, AdminWork } from "./admin-work.ts";
import type { PostgresPlace } from "./places.ts";

/** An admin command needs few: one for what it does, and one that listens. */
const CONNECTIONS = 3;

/** The same as `withAdminStore`, for a database in PostgreSQL. Whoever names one that is there, and empty, means it. */
export async function withPostgresStore<T>(
  { connection, name }: PostgresPlace,
  { terminal, tombstoneSeconds }: Administering,
  work: (deps: AdminCommandDeps) => Promise<T>,
  { mayCreate }: AdminWork,
): Promise<T> {
  const time = createDatabaseTime();
  const clock = createMonotonicClock(time);
  let isNew = false;
  try {
    await using store = asDisposable(
      await openPostgresStore({
        connection: { ...connection, max: CONNECTIONS },
        clock,
        time,
        tombstoneSeconds,
        operator: operatorOf(terminal),
        rights: { mayCreate: mayCreate !== undefined, mayUpgrade: false },
        onMade: () => void (isNew = true),
      }),
    );
    return await work({ store, clock, ids: createIds(clock, systemRandom), random: systemRandom, isNew });
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(error.message, "failure", error);
    const refusal = findRefusal(error);
    throw refusal ? new CommandError(`'${name}': ${refusal.error.message}.`, "failure", error) : error;
  }
}
