import { and, asc, desc, eq, getTableColumns, gt } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { EventFeed, EventRecord, EventStore } from "../../domain/ports/events.ts";
import type { StoreContext } from "./engine/context.ts";
import type { Database } from "./engine/database.ts";
import { readClock } from "./engine/finding.ts";
import { toRow } from "./engine/rows.ts";
import type { DriverRow } from "./engine/rows.ts";
import { CHANNEL } from "./engine/writing.ts";
import type { Committed } from "./engine/writing.ts";
import { events, identities } from "./schema.ts";

export function createEventStore({ database }: StoreContext): EventStore {
  const { place: _place, keptAt: _keptAt, ...columns } = getTableColumns(events);
  const list = (where: SQL | undefined) =>
    database.orm
      .select({ ...columns, actorKind: identities.kind })
      .from(events)
      .leftJoin(identities, eq(identities.id, events.actorId))
      .where(where)
      .orderBy(asc(events.id));
  return {
    listEvents: (teamId, after, limit) => list(and(eq(events.teamId, teamId), gt(events.id, after ?? ""))).limit(limit),
    listSecretEvents: ({ id }) => list(eq(events.secretId, id)),
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

/** The number of events per read when catching up with the log. */
const STEP_ROWS = 1000;
/** The time between two polls of the log, which make up for lost notifications. */
const POLL_MS = 1000;

export interface LogFeed extends EventFeed {
  /** The name of this process in notifications, by which it recognizes its own. */
  readonly origin: string;
  /** Starts listening: subscribers get every event after `lastPlace`. */
  start(lastPlace: number): void;
  /** Delivers the events that this process has committed. */
  readonly committed: (committed: Committed) => void;
  close(): Promise<void>;
}

/**
 * Delivers every event that is committed after the start, by any process, exactly once and in log order. The log is the
 * source: a notification only says that it has grown, and polling makes up for a lost notification within a second.
 */
export function createFeed(
  database: Database,
  {
    onClock,
    report,
  }: {
    /** Called every second with the row of `CLOCK`. */
    readonly onClock: (clock: DriverRow | undefined) => void;
    readonly report: (work: string, error: unknown) => void;
  },
): LogFeed {
  const origin = crypto.randomUUID();
  const listeners = new Set<(event: EventRecord) => void>();
  let [delivered, announced] = [0, 0];
  let reading: Promise<void> | undefined;
  let isClosed = false;
  let isFailing = false;

  // Reports only the first of several failures in a row.
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isClosed) report("events", error);
      isFailing = true;
    }
  };
  const deliver = (event: EventRecord) => {
    for (const listener of listeners) listener(event);
  };
  const readLog = async () => {
    while (delivered < announced && !isClosed) {
      // The read may not see what is announced while it runs.
      const until = announced;
      const rows = await database.read("SELECT * FROM events WHERE place > $1 ORDER BY place LIMIT $2", [
        delivered,
        STEP_ROWS,
      ]);
      for (const row of rows) {
        const { place, keptAt: _keptAt, ...event } = toRow(events, row);
        // It may have been delivered meanwhile.
        if (place > delivered) deliver(event);
        delivered = Math.max(delivered, place);
      }
      // Missing events have been deleted.
      if (rows.length < STEP_ROWS) delivered = Math.max(delivered, Math.min(until, announced));
    }
  };
  const catchUp = () => {
    if (delivered >= announced || isClosed) return;
    reading ??= attempt(readLog).finally(() => {
      reading = undefined;
      // The log may have grown since the last read.
      if (!isFailing) catchUp();
    });
  };
  const announce = (place: number) => {
    announced = Math.max(announced, place);
    catchUp();
  };
  const poll = async () => {
    const before = delivered;
    const row = await readClock((text, params) => database.read(text, params));
    onClock(row);
    const lastPlace = Number(row?.["last_place"]);
    // An asynchronous replica was promoted that lacked the latest events: their places are assigned again.
    if (lastPlace < before) [delivered, announced] = [lastPlace, lastPlace];
    announce(lastPlace);
  };
  let listening: ReturnType<Database["listen"]> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const onNotification = (payload: string) => {
    const [place = "", by] = payload.split(" ");
    // This process learns of its own commits from their answers, and of one without an answer by polling.
    if (by !== origin) announce(Number(place));
  };
  return {
    origin,
    start(lastPlace) {
      [delivered, announced] = [lastPlace, lastPlace];
      // Events that were committed before listening began were not announced here.
      listening = database.listen(CHANNEL, onNotification, () => void attempt(poll));
      listening.catch((error: unknown) => report("listen", error));
      timer = setInterval(() => void attempt(poll), POLL_MS);
      timer.unref();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    committed({ events: written, placeBefore, lastPlace }) {
      // Events of other processes come first, and have to be read.
      if (delivered === placeBefore && !reading) {
        delivered = lastPlace;
        for (const event of written) deliver(event);
      }
      announce(lastPlace);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await listening?.then((unlisten) => unlisten()).catch(() => undefined);
      await reading;
    },
  };
}
