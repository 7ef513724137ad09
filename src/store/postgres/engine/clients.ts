import { SQL } from "bun";
import { isConnectionLost, isLoginRefused, isReadOnly, isUnanswered, PoolInUse } from "./errors.ts";
import { checkSessions, hasPooler, POOL_IS_USED } from "./poolers.ts";
import type { SessionSettings } from "./poolers.ts";
import { findPrimary } from "./primaries.ts";
import type { HostOptions } from "./primaries.ts";

/** The way to a database. */
export type ConnectionOptions = SQL.PostgresOrMySQLOptions & {
  /** The time that the server has to answer a statement; longer than its own limit, which says more. */
  readonly answerSeconds?: number;
  /** The hosts that the database may be on, of which the one is taken that can be written; without it the only one there is, whatever it is. */
  readonly hosts?: readonly HostOptions[];
  /** True when one of several hosts that can be written is waited for, as long as connecting may take, also when all of them refuse at once. */
  readonly waitsForPrimary?: boolean;
  /** Reads the credentials again, which may change while a server runs; undefined when they can't be read now. */
  readonly readAgain?: () => Credentials | undefined;
};

/** The things by which PostgreSQL knows a server, and is known by it. */
export type Credentials = Pick<SQL.PostgresOrMySQLOptions, "username" | "password" | "tls">;

/** The least time between two attempts to find out where a database that can't be written can be. */
const READ_ONLY_MS = 2000;

/**
 * The settings by which PostgreSQL plans. Every statement is for few rows and has an index, and its plan is kept: one from when a table was
 * small must not read all of it later. A statement that counts everything still does, and is not worth compiling.
 */
const PLANNING = { enable_seqscan: "off", jit: "off" };

/** Without one the driver takes DATABASE_URL, or another that it knows, from the environment: with the password and the parameters in it. */
const NO_URL = "postgres:///";

type Listener = (payload: string) => void;

/** The client of the driver that is in use, one after the other. */
export interface Clients {
  /** Rejects with what the driver throws when no host can be used. */
  current(): Promise<SQL>;
  /** Hears what a client failed with, and leaves it when another one may do better. */
  failed(client: SQL, error: unknown): void;
  /** The settings that a connection has to get before it is used; undefined where it was made with them. */
  settings(): SessionSettings | undefined;
  /** Reads the credentials again. Returns true when they are others: then new connections take the place of those that there are. */
  renew(): boolean;
  /** Listens by whichever client is the current one, and says each time that it has begun to; resolves what ends that. */
  listen(channel: string, listener: Listener, onListening: () => void): Promise<() => Promise<void>>;
  /** Leaves the current client for one whose connections see this schema alone, and so do all later ones; resolves once it is closed. */
  useSchema(name: string): Promise<void>;
  close(): Promise<void>;
}

/** A client, or the search for the host that it is for. */
interface Finding {
  readonly client: Promise<SQL>;
  settled?: SQL;
  /** Has no more said of how its connections end. */
  readonly hush: () => void;
}

/** One that was left has `drainMs` to finish what is under way on it. */
export function createClients(
  { hosts, waitsForPrimary = false, readAgain, ...initial }: ConnectionOptions,
  drainMs: number,
): Clients {
  let options = initial;
  const left = new Set<SQL>();
  const listeners = new Map<Listener, (client: SQL) => Promise<void>>();
  let found: Finding | undefined;
  let readOnlyAt = -Infinity;

  let settings = settingsOf({ ...initial.connection, ...PLANNING });
  /** True when a pooler is in between, undefined while that isn't known. */
  let isPooled: boolean | undefined;

  const open = async (own: SessionSettings, change: Partial<typeof options>, isPatient: boolean): Promise<SQL> => {
    const application = options.connection?.["application_name"];
    const connection = { ...(application !== undefined && { application_name: application }), ...own };
    const driverOptions = { ...options, ...change, url: NO_URL, connection, adapter: "postgres" } as const;
    return hosts ? findPrimary(driverOptions, hosts, isPatient) : new SQL(driverOptions);
  };
  /** Fails as a pooler does that can't be used. What fails before one was seen is met again by who asks. */
  const lookBetween = async (): Promise<boolean | undefined> => {
    const opened: SQL[] = [];
    const openOne = async (own: SessionSettings) => {
      const client = await open(own, { max: 1, onclose: undefined }, false);
      opened.push(client);
      return client;
    };
    const tooLate = new Promise<"late">((resolve) => void setTimeout(resolve, drainMs, "late").unref());
    try {
      const look = hasPooler(openOne, settings).catch(() => undefined);
      const isBetween = await Promise.race([look, tooLate]);
      if (isBetween === "late") return undefined;
      if (isBetween !== true) return isBetween;
      // A pooler lets clients wait for a connection.
      if ((await Promise.race([checkSessions(openOne), tooLate])) === "late") throw new PoolInUse(POOL_IS_USED);
      return true;
    } finally {
      // What was too late would wait on, and get a connection that others need.
      for (const client of opened) void client.close({ timeout: 0 });
    }
  };
  const find = async (isSilent: () => boolean): Promise<SQL> => {
    isPooled ??= await lookBetween();
    const onclose = (error: Error | null) => {
      // The end of one that has not answered is our own doing.
      if (isSilent()) return;
      if (isLoginRefused(error)) renew();
      options.onclose?.(error);
    };
    const client = await open(isPooled === true ? {} : settings, { onclose }, waitsForPrimary);
    // It says by itself that it can't, and what is not heard is made up for.
    for (const listen of listeners.values()) void listen(client).catch(() => undefined);
    return client;
  };
  const startFinding = (): Finding => {
    let isSilent = false;
    return { client: find(() => isSilent), hush: () => void (isSilent = true) };
  };
  const current = async (): Promise<SQL> => {
    const finding = (found ??= startFinding());
    try {
      return (finding.settled ??= await finding.client);
    } catch (error) {
      if (found === finding) found = undefined;
      throw error;
    }
  };
  const leave = (client: SQL) => {
    left.add(client);
    void client.close({ timeout: drainMs / 1000 }).finally(() => left.delete(client));
  };
  const renew = (): boolean => {
    const { username, password, tls } = readAgain?.() ?? options;
    if (isSame({ username, password, tls }, options)) return false;
    options = { ...options, username, password, tls };
    const former = found;
    found = undefined;
    former?.client.then(leave, () => undefined);
    return true;
  };
  const mayHelp = (error: unknown): boolean => {
    if (isUnanswered(error)) return true;
    if (!isReadOnly(error)) return hosts !== undefined && isConnectionLost(error);
    const isSoon = performance.now() - readOnlyAt < READ_ONLY_MS;
    if (!isSoon) readOnlyAt = performance.now();
    return !isSoon;
  };

  return {
    current,
    failed(client, error) {
      if (found?.settled !== client || !mayHelp(error)) return;
      if (isUnanswered(error)) found.hush();
      found = undefined;
      leave(client);
    },
    settings: () => (isPooled === true ? settings : undefined),
    renew,
    async listen(channel, listener, onListening) {
      let subscription: Awaited<ReturnType<SQL["listen"]>> | undefined;
      const listen = async (client: SQL) => {
        subscription = await client.listen(channel, listener, onListening);
      };
      const client = await current();
      listeners.set(listener, listen);
      await listen(client);
      return async () => {
        listeners.delete(listener);
        await subscription?.unlisten();
      };
    },
    async useSchema(name) {
      const path = toSearchPath(name);
      if (settings["search_path"] === path) return;
      settings = { ...settings, search_path: path };
      const former = found;
      found = undefined;
      former?.hush();
      const client = await former?.client.catch(() => undefined);
      await client?.close({ timeout: drainMs / 1000 });
    },
    async close() {
      const finding = found;
      // Nothing is under way on one that is still looked for, and a database that says nothing holds nobody up.
      if (!finding?.settled)
        finding?.client.then(
          (client) => client.close({ timeout: 0 }),
          () => undefined,
        );
      const former = [...left].map((each) => each.close({ timeout: 0 }));
      await Promise.all([finding?.settled?.close({ timeout: 5 }), ...former]);
    },
  };
}

/** The settings of a connection that a pooler may not know; the name of the application it does. */
function settingsOf({
  application_name: _application,
  ...rest
}: NonNullable<ConnectionOptions["connection"]>): SessionSettings {
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
}

/** PostgreSQL's own schema comes first without a word; that of temporary tables would too. */
function toSearchPath(schema: string): string {
  return `"${schema.replaceAll('"', '""')}", pg_temp`;
}

function isSame(one: Credentials, other: Credentials): boolean {
  const text = ({ username, password, tls }: Credentials) => JSON.stringify([username, password, tls]);
  return text(one) === text(other);
}
