import { and, asc, desc, eq, gt } from "drizzle-orm";
import type { EventFeed, EventRecord, EventStore } from "../../domain/ports/events.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Database } from "./engine/database.ts";
import { CLOCK } from "./engine/finding.ts";
import { toRow } from "./engine/rows.ts";
import type { DriverRow } from "./engine/rows.ts";
import { CHANNEL } from "./engine/writing.ts";
import type { Committed } from "./engine/writing.ts";
import { events, identities } from "./schema.ts";

export function createEventStore({ database }: StoreContext): EventStore {
  const {
    place: _place,
    keptAt: _keptAt,
    ...columns
  } = {
    place: events.place,
    keptAt: events.keptAt,
    id: events.id,
    teamId: events.teamId,
    type: events.type,
    createdAt: events.createdAt,
    secretId: events.secretId,
    requestId: events.requestId,
    actorId: events.actorId,
    reference: events.reference,
  };
  return {
    listEvents: (teamId, after, limit) =>
      database.orm
        .select({ ...columns, actorKind: identities.kind })
        .from(events)
        .leftJoin(identities, eq(identities.id, events.actorId))
        .where(and(eq(events.teamId, teamId), gt(events.id, after ?? "")))
        .orderBy(asc(events.id))
        .limit(limit),
    listSecretEvents: ({ id }) =>
      database.orm
        .select({ ...columns, actorKind: identities.kind })
        .from(events)
        .leftJoin(identities, eq(identities.id, events.actorId))
        .where(eq(events.secretId, id))
        .orderBy(asc(events.id)),
    async lastEventId(teamId) {
      const [row] = await database.orm
        .select({ id: events.id })
        .from(events)
        .where(eq(events.teamId, teamId))
        .orderBy(desc(events.id))
        .limit(1);
      return row?.id;
    },
  };
}

/** The events that are read at once to catch up. */
const STEP_ROWS = 1000;
/** The time between two looks whether a notification was lost. */
const LOOK_MS = 1000;

export interface LogFeed extends EventFeed {
  /** The name that this process has in notifications, so that it doesn't read what it has written itself. */
  readonly origin: string;
  /** Begins to listen: from now on every event after this place is told of. */
  start(lastPlace: number): void;
  /** Tells of what this process has committed. */
  readonly committed: (committed: Committed) => void;
  close(): Promise<void>;
}

/**
 * Tells of every event that is committed once it was started, by whatever process, once and in the order of the log. The log is the
 * truth: a notification says only that there is more in it, and one that is lost is made up for within a second.
 */
export function createFeed(
  database: Database,
  {
    onClock,
    report,
  }: {
    /** Hears every second what the database says of the time. */
    readonly onClock: (clock: DriverRow | undefined) => void;
    readonly report: (work: string, error: unknown) => void;
  },
): LogFeed {
  const origin = crypto.randomUUID();
  const listeners = new Set<(event: EventRecord) => void>();
  let [told, known] = [0, 0];
  let catching: Promise<void> | undefined;
  let isClosed = false;
  let isFailing = false;

  // Of several failures in a row the first is told of.
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isClosed) report("events", error);
      isFailing = true;
    }
  };
  const tell = (event: EventRecord) => {
    for (const listener of listeners) listener(event);
  };
  const readOn = async () => {
    while (told < known && !isClosed) {
      // What is heard of while this is read may not be among it.
      const until = known;
      const rows = await database.read("SELECT * FROM events WHERE place > $1 ORDER BY place LIMIT $2", [
        told,
        STEP_ROWS,
      ]);
      for (const row of rows) {
        const { place, keptAt: _keptAt, ...event } = toRow(events, row);
        // It may have been told meanwhile.
        if (place > told) tell(event);
        told = Math.max(told, place);
      }
      // What is not there any more has been forgotten.
      if (rows.length < STEP_ROWS) told = Math.max(told, Math.min(until, known));
    }
  };
  const catchUp = () => {
    if (told >= known || isClosed) return;
    catching ??= attempt(readOn).finally(() => {
      catching = undefined;
      // Something may have been heard of since the last read.
      if (!isFailing) catchUp();
    });
  };
  const hear = (place: number) => {
    known = Math.max(known, place);
    catchUp();
  };
  const look = async () => {
    const before = told;
    const [row] = await database.read(CLOCK);
    onClock(row);
    const last = Number(row?.["last_place"]);
    // A replica took over that had not all of it: its places are given once more.
    if (last < before) [told, known] = [last, last];
    hear(last);
  };
  let listening: ReturnType<Database["listen"]> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const notified = (payload: string) => {
    const [place = "", by] = payload.split(" ");
    // Of its own commits it hears by their answers, and of one whose answer was lost by a look.
    if (by !== origin) hear(Number(place));
  };
  return {
    origin,
    start(lastPlace) {
      [told, known] = [lastPlace, lastPlace];
      // Nobody was told of what was committed before it was listening.
      listening = database.listen(CHANNEL, notified, () => void attempt(look));
      listening.catch((error: unknown) => report("listen", error));
      timer = setInterval(() => void attempt(look), LOOK_MS);
      timer.unref();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    committed({ events: written, placeBefore, lastPlace: last }) {
      // What others have committed comes before, and has to be read.
      if (told === placeBefore && !catching) {
        told = last;
        for (const event of written) tell(event);
      }
      hear(last);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await listening?.then((unlisten) => unlisten()).catch(() => undefined);
      await catching;
    },
  };
}
