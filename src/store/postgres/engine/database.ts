import type { ReservedSQL, SQL } from "bun";
import { drizzle } from "drizzle-orm/pg-proxy";
import { createClients } from "./clients.ts";
import type { ConnectionOptions } from "./clients.ts";
import { isUnanswered, NoAnswer } from "./errors.ts";
import { SET_ALL } from "./poolers.ts";
import type { DriverRow } from "./rows.ts";

export type { ConnectionOptions } from "./clients.ts";

/** The rows of an answer, with the tag of what was done. */
export type Answer = readonly DriverRow[] & { readonly command: string | null; readonly count: number | null };

/** Runs statements one after the other, on one connection; those that are not waited for go together. */
export interface Connection {
  run(text: string, params?: readonly unknown[]): Promise<Answer>;
  readonly orm: Orm;
}

/** A connection that is held, and goes back when it is disposed of. */
export interface HeldConnection extends Connection, Disposable {}

/**
 * The connections to one database. A statement that isn't answered in time rejects with NoAnswer, and what it would have
 * done may be done; so does waiting for a connection, before anything was done.
 */
export interface Database {
  /** Runs a statement on any of them. */
  read(text: string, params?: readonly unknown[]): Promise<Answer>;
  readonly orm: Orm;
  /** Resolves one on which the server has so many seconds for an answer, or as many as anywhere. */
  hold(answerSeconds?: number): Promise<HeldConnection>;
  /** Hears of notifications on a channel, and each time that it begins to listen, also anew; resolves what ends that. */
  listen(channel: string, listener: (payload: string) => void, onListening: () => void): Promise<() => Promise<void>>;
  /** Has every connection from now on look for tables in this schema alone, after PostgreSQL's own. Those that there are are closed. */
  useSchema(name: string): Promise<void>;
  /** Reads the credentials again. Returns true when they are others: then new connections take the place of those that there are. */
  renew(): boolean;
  close(): Promise<void>;
}

export type Orm = ReturnType<typeof openOrm>;

/** Builds statements, which `ask` sends. */
function openOrm(ask: <T>(work: (client: SQL | ReservedSQL) => Promise<T>) => Promise<T>) {
  return drizzle(async (text, params: unknown[], method) => {
    const rows = await ask(async (client) => {
      const query = client.unsafe(text, params);
      return (await (method === "all" ? query.values() : query)) as unknown[];
    });
    return { rows };
  });
}

/** The time that the server has for an answer where nothing is said of it. */
const ANSWER_SECONDS = 20;
/** Longer than a client that was left lives. */
const FOREVER_SECONDS = 86_400;

/** Connects at the first statement. */
export function connectTo(options: ConnectionOptions): Database {
  const answerMs = (options.answerSeconds ?? ANSWER_SECONDS) * 1000;
  const clients = createClients(options, answerMs);

  const ask = async <T>(work: (client: SQL | ReservedSQL) => Promise<T>): Promise<T> => {
    const client = await clients.current();
    if (clients.settings()) {
      using held = await take(answerMs / 1000);
      return await held.wait(work(held.reserved));
    }
    return createPatience(answerMs, (error) => clients.failed(client, error))(work(client));
  };
  const take = async (answerSeconds: number) => {
    const client = await clients.current();
    const reserved = await reserve(client, answerMs).catch((error: unknown) => {
      // While others have all of its connections, another client is no help.
      if (!isUnanswered(error)) clients.failed(client, error);
      throw error;
    });
    let isSilent = false;
    const wait = createPatience(answerSeconds * 1000, (error) => {
      isSilent ||= isUnanswered(error);
      clients.failed(client, error);
    });
    const dispose = () => {
      // What is under way is not cancelled: a commit that waits for a replica would count as one that was copied there.
      void (isSilent ? reserved.close({ timeout: FOREVER_SECONDS }) : reserved.release());
    };
    const settings = clients.settings();
    try {
      if (settings) await wait(send(reserved, SET_ALL, [JSON.stringify(settings)]));
    } catch (error) {
      dispose();
      throw error;
    }
    return { reserved, wait, [Symbol.dispose]: dispose };
  };
  const hold = async (answerSeconds = answerMs / 1000): Promise<HeldConnection> => {
    const { reserved, wait, [Symbol.dispose]: dispose } = await take(answerSeconds);
    return {
      run: (text, params) => wait(send(reserved, text, params)),
      orm: openOrm((work) => wait(work(reserved))),
      [Symbol.dispose]: dispose,
    };
  };
  return {
    read: (text, params) => ask((client) => send(client, text, params)),
    orm: openOrm(ask),
    hold,
    listen: clients.listen,
    useSchema: clients.useSchema,
    renew: clients.renew,
    close: clients.close,
  };
}

/**
 * Returns what waits for answers, which resolves as they do. It rejects with NoAnswer when those that are waited for together are not
 * all there within `ms`. Tells `onFailure` of this, and of every other failure.
 */
function createPatience(ms: number, onFailure: (error: unknown) => void): <T>(answer: Promise<T>) => Promise<T> {
  const waiting = new Set<(error: unknown) => void>();
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    for (const fail of waiting) fail(new NoAnswer("PostgreSQL doesn't answer"));
  };
  return <T>(answer: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const end = () => {
        waiting.delete(fail);
        if (waiting.size === 0) clearTimeout(timer);
      };
      const succeed = (value: T) => {
        end();
        resolve(value);
      };
      const fail = (error: unknown) => {
        if (!waiting.has(fail)) return;
        end();
        onFailure(error);
        reject(error);
      };
      if (waiting.size === 0) timer = setTimeout(giveUp, ms);
      waiting.add(fail);
      answer.then(succeed, fail);
    });
}

/** Reserves a connection. Rejects with NoAnswer when none comes free in time. */
async function reserve(client: SQL, ms: number): Promise<ReservedSQL> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new NoAnswer("no connection to PostgreSQL came free")), ms);
  try {
    return await client.reserve({ signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

function send(client: SQL | ReservedSQL, text: string, params: readonly unknown[] = []): Promise<Answer> {
  return client.unsafe(text, [...params]);
}
