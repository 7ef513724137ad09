import type { HealthStore, StorageTrouble } from "../../domain/ports/health.ts";
import type { Database } from "./engine/database.ts";
import { isDiskFull, isUnanswered, sqlStateOf } from "./engine/errors.ts";

/** The time that the database has to say something. */
const PATIENCE_MS = 2000;

const TROUBLES = {
  /** A replica that was not promoted, or a database that somebody set so. */
  readOnly: {
    code: "read_only",
    message:
      "The database can only be read: it is a replica, or set to be read-only. Nothing is created or handed out until the server reaches one that can be written.",
    isSerious: true,
  },
  unreachable: {
    code: "unreachable",
    message:
      "PostgreSQL can't be reached. Nothing is created or handed out until it can; then the server goes on by itself.",
    isSerious: true,
  },
  silent: {
    code: "unreachable",
    message:
      "PostgreSQL doesn't answer within two seconds. Look at its load, its disk and its locks; the server goes on by itself.",
    isSerious: true,
  },
  unopened: {
    code: "unreachable",
    message:
      "The database is being opened. Nothing is created or handed out until it is; then the server goes on by itself.",
    isSerious: true,
  },
  used: {
    code: "unreachable",
    message:
      "PostgreSQL has no connection or memory to spare. Look at its max_connections, and who has them; the server goes on by itself.",
    isSerious: true,
  },
  full: {
    code: "no_room",
    message:
      "PostgreSQL has no room left on its disk. Nothing is created until there is some; then the server goes on by itself.",
    isSerious: true,
  },
} as const satisfies Record<string, StorageTrouble>;

/** The time for which a disk counts as full that nobody has stored anything on since. */
const FULL_MS = 60_000;

/** Hears of the failures of writes, and looks whether the database can be written. */
export interface Health extends HealthStore {
  /** Hears what became of a write that was to store so many bytes: the error it failed with, undefined when it was committed. */
  noteWrite(error: unknown, bytes: number): void;
}

/** Until `isOpen` there is a trouble, even where the database answers. */
export function createHealth(database: Pick<Database, "read">, isOpen: () => boolean): Health {
  let fullAt = -Infinity;
  let looking: Promise<StorageTrouble | undefined> | undefined;
  const ask = async (): Promise<StorageTrouble | undefined> => {
    try {
      const [row] = await database.read("SELECT current_setting('transaction_read_only') AS read_only");
      return row?.["read_only"] === "on" ? TROUBLES.readOnly : undefined;
    } catch (error) {
      if (sqlStateOf(error).startsWith("53")) return TROUBLES.used;
      if (isUnanswered(error)) return TROUBLES.silent;
      return TROUBLES.unreachable;
    }
  };
  return {
    noteWrite(error, bytes) {
      if (isDiskFull(error)) fullAt = performance.now();
      // What stores nothing, such as a claim, finds room for longer.
      else if (error === undefined && bytes > 0) fullAt = -Infinity;
    },
    async findTroubles() {
      // One question at a time: one that is not answered holds a connection.
      looking ??= ask().finally(() => (looking = undefined));
      const isFull = performance.now() - fullAt < FULL_MS;
      const answer = await Promise.race([looking, later(TROUBLES.silent)]);
      const found = answer ?? (isOpen() ? undefined : TROUBLES.unopened);
      return [...(found ? [found] : []), ...(isFull ? [TROUBLES.full] : [])];
    },
  };
}

function later<T>(value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, value).unref());
}
