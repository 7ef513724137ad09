import { SQL } from "bun";
import { isConnectionLost, isLettingNobodyIn, isLoginRefused, isReadOnly, isUnanswered, PoolInUse } from "./errors.ts";
import { checkSessions, hasPooler, POOL_EXHAUSTED } from "./poolers.ts";
import type { SessionSettings } from "./poolers.ts";
import { findPrimary } from "./primaries.ts";
import type { HostOptions } from "./primaries.ts";

/** How to connect to a database. */
export type ConnectionOptions = SQL.PostgresOrMySQLOptions & {
  /** The time limit for an answer to a statement. Longer than the server's own limit, whose error says more. */
  readonly answerSeconds?: number;
  /**
   * The hosts that the database may run on; the client uses the one that accepts writes. Without it, there is only one
   * host, which is used in any case.
   */
  readonly hosts?: readonly HostOptions[];
  /**
   * True to keep trying several hosts until one accepts writes or the connection timeout has passed, even when all of
   * them refuse at once.
   */
  readonly waitsForPrimary?: boolean;
  /**
   * Reads the credentials again, which may change while a server runs. Returns undefined when they can't be read now.
   */
  readonly readAgain?: () => Credentials | undefined;
};

/** The credentials of the client, and how it verifies the server. */
export type Credentials = Pick<SQL.PostgresOrMySQLOptions, "username" | "password" | "tls">;

/** The minimum time between two searches for another host because the database is read-only. */
const READ_ONLY_MS = 2000;

/**
 * How long to wait before the next connection to a PostgreSQL that lets nobody in. Each attempt costs it a process,
 * which it could use to recover.
 */
const CLOSED_MS = 200;

/**
 * Settings of the query planner. Every statement is for few rows and has an index. A prepared plan is kept, so one made
 * while a table was small must not scan it when it is large. A statement that counts everything still scans, and isn't
 * worth compiling.
 */
const PLANNING = { enable_seqscan: "off", jit: "off" };

/**
 * Without a URL, the driver takes DATABASE_URL or another variable from the environment, with its password and
 * parameters.
 */
const NO_URL = "postgres:///";

type Listener = (payload: string) => void;

/** The driver's current client, which is replaced when another one may work better. */
export interface Clients {
  /**
   * Rejects with the driver's error when no host can be used, and for a moment after PostgreSQL let nobody in.
   */
  current(): Promise<SQL>;
  /** Called with the error of a client. Replaces the client when another one may work better. */
  failed(client: SQL, error: unknown): void;
  /** Settings to apply to a connection before it is used; undefined when connections are opened with them. */
  settings(): SessionSettings | undefined;
  /**
   * Reads the credentials again. Returns true when they have changed; new connections then replace the existing ones.
   */
  renew(): boolean;
  /**
   * Listens on the current client, also after it was replaced. Calls `onListening` each time that listening begins.
   * Resolves a function that stops it.
   */
  listen(channel: string, listener: Listener, onListening: () => void): Promise<() => Promise<void>>;
  /**
   * Replaces the current client by one whose connections use only this schema, as do all later clients. Resolves once
   * the former client is closed.
   */
  useSchema(name: string): Promise<void>;
  close(): Promise<void>;
}

/** A client that is open, or being opened. */
interface OpeningClient {
  readonly client: Promise<SQL>;
  settled?: SQL;
  /** Stops reporting closed connections. */
  readonly stopReporting: () => void;
}

/** A client that was replaced has `drainMs` to finish its statements. */
export function createClients(
  { hosts, waitsForPrimary = false, readAgain, ...initial }: ConnectionOptions,
  drainMs: number,
): Clients {
  let options = initial;
  const retired = new Set<SQL>();
  const listeners = new Map<Listener, (client: SQL) => Promise<void>>();
  let latest: OpeningClient | undefined;
  let readOnlyAt = -Infinity;
  let closed: { readonly error: unknown; readonly until: number } | undefined;

  let settings = settingsOf({ ...initial.connection, ...PLANNING });
  /** True when a pooler is in between; undefined until that is known. */
  let isPooled: boolean | undefined;

  const open = async (own: SessionSettings, change: Partial<typeof options>, isPatient: boolean): Promise<SQL> => {
    const application = options.connection?.["application_name"];
    const connection = { ...(application !== undefined && { application_name: application }), ...own };
    const driverOptions = { ...options, ...change, url: NO_URL, connection, adapter: "postgres" } as const;
    return hosts ? findPrimary(driverOptions, hosts, isPatient) : new SQL(driverOptions);
  };
  /**
   * Returns true when a pooler is in between; undefined when that can't be found out, because the caller's own
   * statement then fails as well. Throws PoolInUse or DatabaseError when the pooler can't be used.
   */
  const detectPooler = async (): Promise<boolean | undefined> => {
    const opened: SQL[] = [];
    const openOne = async (own: SessionSettings) => {
      const client = await open(own, { max: 1, onclose: undefined }, false);
      opened.push(client);
      return client;
    };
    const tooLate = new Promise<"late">((resolve) => void setTimeout(resolve, drainMs, "late").unref());
    try {
      const detection = hasPooler(openOne, settings).catch(() => undefined);
      const isBetween = await Promise.race([detection, tooLate]);
      if (isBetween === "late") return undefined;
      if (isBetween !== true) return isBetween;
      // A pooler makes clients wait for a connection.
      if ((await Promise.race([checkSessions(openOne), tooLate])) === "late") throw new PoolInUse(POOL_EXHAUSTED);
      return true;
    } finally {
      // A late connection would go on waiting, and take a place in the pool that others need.
      for (const client of opened) void client.close({ timeout: 0 });
    }
  };
  const find = async (isIgnored: () => boolean): Promise<SQL> => {
    isPooled ??= await detectPooler();
    const onclose = (error: Error | null) => {
      // This process closed the connection itself, because it did not answer.
      if (isIgnored()) return;
      if (isLoginRefused(error)) renew();
      options.onclose?.(error);
    };
    const client = await open(isPooled === true ? {} : settings, { onclose }, waitsForPrimary);
    // A failed LISTEN reports itself, and missed notifications are made up for by polling.
    for (const listen of listeners.values()) void listen(client).catch(() => undefined);
    return client;
  };
  const startOpening = (): OpeningClient => {
    let isIgnored = false;
    return { client: find(() => isIgnored), stopReporting: () => void (isIgnored = true) };
  };
  const current = async (): Promise<SQL> => {
    if (closed && performance.now() < closed.until) throw closed.error;
    const opening = (latest ??= startOpening());
    try {
      return (opening.settled ??= await opening.client);
    } catch (error) {
      if (latest === opening) latest = undefined;
      throw error;
    }
  };
  const retire = (client: SQL) => {
    retired.add(client);
    void client.close({ timeout: drainMs / 1000 }).finally(() => retired.delete(client));
  };
  const renew = (): boolean => {
    const { username, password, tls } = readAgain?.() ?? options;
    if (areSame({ username, password, tls }, options)) return false;
    options = { ...options, username, password, tls };
    const former = latest;
    latest = undefined;
    former?.client.then(retire, () => undefined);
    return true;
  };
  const shouldReplace = (error: unknown): boolean => {
    if (isUnanswered(error)) return true;
    if (!isReadOnly(error)) return hosts !== undefined && isConnectionLost(error);
    const isSoon = performance.now() - readOnlyAt < READ_ONLY_MS;
    if (!isSoon) readOnlyAt = performance.now();
    return !isSoon;
  };

  return {
    current,
    failed(client, error) {
      if (isLettingNobodyIn(error)) closed = { error, until: performance.now() + CLOSED_MS };
      if (latest?.settled !== client || !shouldReplace(error)) return;
      if (isUnanswered(error)) latest.stopReporting();
      latest = undefined;
      retire(client);
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
      const former = latest;
      latest = undefined;
      former?.stopReporting();
      const client = await former?.client.catch(() => undefined);
      await client?.close({ timeout: drainMs / 1000 });
    },
    async close() {
      const opening = latest;
      // A client that is still being opened runs no statement, and closing must not wait for a silent database.
      if (!opening?.settled)
        opening?.client.then(
          (client) => client.close({ timeout: 0 }),
          () => undefined,
        );
      const former = [...retired].map((each) => each.close({ timeout: 0 }));
      await Promise.all([opening?.settled?.close({ timeout: 5 }), ...former]);
    },
  };
}

/** The settings of a connection without the application name: a pooler may not know them, but it knows that one. */
function settingsOf({
  application_name: _application,
  ...rest
}: NonNullable<ConnectionOptions["connection"]>): SessionSettings {
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
}

/** pg_catalog is searched first even when it isn't named. Temporary tables would be too, unless pg_temp is named. */
function toSearchPath(schema: string): string {
  return `"${schema.replaceAll('"', '""')}", pg_temp`;
}

function areSame(one: Credentials, other: Credentials): boolean {
  const text = ({ username, password, tls }: Credentials) => JSON.stringify([username, password, tls]);
  return text(one) === text(other);
}
