import type { ReservedSQL, SQL } from "bun";
import { drizzle } from "drizzle-orm/pg-proxy";
import { createClients } from "./clients.ts";
import type { ConnectionOptions } from "./clients.ts";
import { isUnanswered, NoAnswer } from "./errors.ts";
import { SET_ALL } from "./poolers.ts";
import type { DriverRow } from "./rows.ts";

export type { ConnectionOptions } from "./clients.ts";

/** The rows of an answer, with the command and row count that PostgreSQL reports. */
export type Answer = readonly DriverRow[] & { readonly command: string | null; readonly count: number | null };

/**
 * Runs statements in order on one connection. Statements that are sent without waiting are pipelined, except for `run`
 * without parameters: Bun sends its text as a simple query, once all earlier statements are answered.
 */
export interface Connection {
  run(text: string, params?: readonly unknown[]): Promise<Answer>;
  /** BEGIN, pipelined. */
  begin(): Promise<Answer>;
  /** COMMIT, pipelined. */
  commit(): Promise<Answer>;
  readonly orm: Orm;
}

/** A reserved connection, which returns to the pool when it is disposed of. */
export interface HeldConnection extends Connection, Disposable {}

/**
 * The connections to one database. A statement without an answer in time rejects with NoAnswer, and may still take
 * effect. Waiting for a connection rejects with NoAnswer too, and then nothing was done.
 */
export interface Database {
  /** Runs a statement on any connection of the pool. */
  read(text: string, params?: readonly unknown[]): Promise<Answer>;
  readonly orm: Orm;
  /** Reserves a connection whose answers may take `answerSeconds`; by default, as long as those of the pool. */
  hold(answerSeconds?: number): Promise<HeldConnection>;
  /**
   * Calls `listener` with each notification on `channel`, and `onListening` each time that listening begins, also after
   * a reconnect. Resolves a function that stops it.
   */
  listen(channel: string, listener: (payload: string) => void, onListening: () => void): Promise<() => Promise<void>>;
  /** Makes every later connection use only this schema, after pg_catalog. Closes the existing connections. */
  useSchema(name: string): Promise<void>;
  /**
   * Reads the credentials again. Returns true when they have changed; new connections then replace the existing ones.
   */
  renew(): boolean;
  close(): Promise<void>;
}

export type Orm = ReturnType<typeof openOrm>;

/** Builds statements with drizzle, and runs them through `ask`. */
function openOrm(ask: <T>(work: (client: SQL | ReservedSQL) => Promise<T>) => Promise<T>) {
  return drizzle(async (text, params: unknown[], method) => {
    const rows = await ask(async (client) => {
      const query = client.unsafe(text, params);
      return (await (method === "all" ? query.values() : query)) as unknown[];
    });
    return { rows };
  });
}

/** The default time limit for an answer. */
const ANSWER_SECONDS = 20;
/** Longer than a replaced client lives. */
const FOREVER_SECONDS = 86_400;

/** Returns a database, which connects at the first statement. */
export function connectTo(options: ConnectionOptions): Database {
  const answerMs = (options.answerSeconds ?? ANSWER_SECONDS) * 1000;
  const clients = createClients(options, answerMs);

  const ask = async <T>(work: (client: SQL | ReservedSQL) => Promise<T>): Promise<T> => {
    const client = await clients.current();
    if (clients.settings()) {
      using held = await take(answerMs / 1000);
      return await held.wait(work(held.reserved));
    }
    return createAnswerTimeout(answerMs, (error) => clients.failed(client, error))(work(client));
  };
  const take = async (answerSeconds: number) => {
    const client = await clients.current();
    const reserved = await reserve(client, answerMs).catch((error: unknown) => {
      // While all connections are in use, another client doesn't help.
      if (!isUnanswered(error)) clients.failed(client, error);
      throw error;
    });
    let isSilent = false;
    const wait = createAnswerTimeout(answerSeconds * 1000, (error) => {
      isSilent ||= isUnanswered(error);
      clients.failed(client, error);
    });
    const dispose = () => {
      // A pending statement isn't canceled: a commit that waits for a replica would count as replicated.
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
      // Bun prepares the text of a template, even without parameters.
      begin: () => wait(reserved`BEGIN`),
      commit: () => wait(reserved`COMMIT`),
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
 * Returns a function that waits for an answer. It rejects with NoAnswer when not all answers that are awaited together
 * have arrived within `ms`. Calls `onFailure` with every error, this one included.
 */
function createAnswerTimeout(ms: number, onFailure: (error: unknown) => void): <T>(answer: Promise<T>) => Promise<T> {
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

/** Reserves a connection. Rejects with NoAnswer when none becomes free in time. */
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
