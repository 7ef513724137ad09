import { createMonotonicClock } from "../../../domain/clocks.ts";
import { createIds } from "../../../domain/ids.ts";
import { systemRandom } from "../../../domain/random.ts";
import { createDatabaseTime } from "../../../store/postgres/engine/database-time.ts";
import { openPostgresStore } from "../../../store/postgres/store.ts";
import { operatorOf } from "../administering/operators.ts";
import { asDisposable } from "./admin-work.ts";
import type { AdminCommandDeps, Administering, AdminWork } from "./admin-work.ts";
import type { PostgresPlace } from "./places.ts";
import { explainRefusal } from "./postgres-refusals.ts";

/** An admin command needs few: one for what it does, and one that listens. */
const CONNECTIONS = 3;

/** The same as `withAdminStore`, for a database in PostgreSQL. Whoever names one that is there, and empty, means it. */
export async function withPostgresStore<T>(
  place: PostgresPlace,
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
        connection: { ...place.connection, max: CONNECTIONS },
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
    throw explainRefusal(error, place);
  }
}
