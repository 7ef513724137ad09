import { SQL } from "bun";
import { isConnectionLost, sqlStateOf } from "./errors.ts";

type DriverOptions = SQL.PostgresOrMySQLOptions;

/** The driver options that differ between hosts. */
export type HostOptions = Pick<DriverOptions, "hostname" | "port" | "path">;

const RETRY_MS = 250;
const CONNECT_SECONDS = 10;

/**
 * Asks all hosts at once, and resolves a client for the first one that accepts writes. With `isPatient` it retries
 * until the connection timeout has passed. Rejects with the error that explains most.
 */
export async function findPrimary(
  options: DriverOptions,
  hosts: readonly HostOptions[],
  isPatient: boolean,
): Promise<SQL> {
  const end = new AbortController();
  const timeout = AbortSignal.timeout((options.connectionTimeout ?? CONNECT_SECONDS) * 1000);
  const signal = AbortSignal.any([timeout, end.signal]);
  const attempts = hosts.map((host) => openPrimary({ ...options, ...host }, signal, isPatient));
  let chosen: SQL | undefined;
  try {
    return (chosen = await Promise.any(attempts));
  } catch (error) {
    const reasons: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw reasons.find((reason) => sqlStateOf(reason) !== "") ?? reasons[0];
  } finally {
    end.abort();
    for (const attempt of attempts) {
      const leave = (client: SQL) => (client === chosen ? undefined : client.close({ timeout: 0 }));
      void attempt.then(leave, () => undefined);
    }
  }
}

/**
 * Resolves a client once its host accepts writes. Without `isPatient` it rejects with the first refusal. When `signal`
 * is aborted, it rejects with the latest one.
 */
async function openPrimary(options: DriverOptions, signal: AbortSignal, isPatient: boolean): Promise<SQL> {
  const client = new SQL({ ...options, adapter: "postgres" });
  const close = () => void client.close({ timeout: 0 });
  signal.addEventListener("abort", close, { once: true });
  let reason: unknown;
  for (;;) {
    const refusal = await findRefusal(client);
    // A closed client reports only that it is closed.
    if (!signal.aborted) reason = refusal;
    if (refusal === undefined) {
      signal.removeEventListener("abort", close);
      return client;
    }
    if (signal.aborted || !isPatient || !isTemporary(refusal)) {
      close();
      throw reason ?? refusal;
    }
    await Bun.sleep(RETRY_MS);
  }
}

/** The reason why the host doesn't accept writes; undefined when it does. */
async function findRefusal(client: SQL): Promise<unknown> {
  try {
    const [row] = (await client.unsafe("SELECT current_setting('transaction_read_only') AS read_only")) as unknown as {
      read_only: string;
    }[];
    if (row?.read_only === "off") return undefined;
    return new SQL.PostgresError("the server can only be read", { code: "ERR_POSTGRES_SERVER_ERROR", errno: "25006" });
  } catch (error) {
    return error;
  }
}

function isTemporary(error: unknown): boolean {
  return isConnectionLost(error) || /^(25006|53)/.test(sqlStateOf(error));
}
