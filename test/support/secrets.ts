import { Database } from "bun:sqlite";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import recount from "../../drizzle/sqlite/0005_stored_bytes.sql" with { type: "text" };
import withoutTokenIndex from "../../drizzle/sqlite/0011_claim_tokens.sql" with { type: "text" };
import references from "../../drizzle/sqlite/0013_references.sql" with { type: "text" };
import { authenticate } from "../../src/domain/callers.ts";
import { Refusal } from "../../src/domain/errors.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import type { StoreOptions } from "../../src/store/sqlite/assembly/options.ts";
import { secretCalls } from "./secret-calls.ts";
import type { SecretCalls } from "./secret-calls.ts";
import { openTestService } from "./service.ts";
import type { TestService } from "./service.ts";

/** The rules of secrets over a real database, called as one identity of one team, and a look into the files. */
export interface TestSecrets extends SecretCalls, AsyncDisposable {
  readonly backend: TestService;
  /** The rows that a second connection reads, as the admin command would. */
  query<T>(sql: string): T[];
  /** The length of all stored ciphertexts, in bytes. */
  heldBytes(): number;
  /** The bytes that the teams take up, as they are counted from call to call. */
  storedBytes(): number;
}

export async function openTestSecrets(
  settings: Partial<ServerPolicy> = {},
  ballastBytes = 0,
  storeOptions: Partial<StoreOptions> = {},
): Promise<TestSecrets> {
  const backend = openTestService(settings, ballastBytes, storeOptions);
  const { token } = await backend.mint();
  const caller = await authenticate(backend.service, token, undefined);
  const query = <T>(sql: string) => inDatabase(backend.folder, (database) => database.query<T, []>(sql).all());
  return {
    ...secretCalls(backend, caller),
    backend,
    query,
    heldBytes: () => heldBytes(backend.folder),
    storedBytes: () => query<{ bytes: number }>("SELECT sum(stored_bytes) AS bytes FROM teams")[0]?.bytes ?? NaN,
    [Symbol.asyncDispose]: () => backend[Symbol.asyncDispose](),
  };
}

/** The code of the Refusal that `promise` rejects with; undefined when it resolves. Any other error is thrown. */
export async function refusalOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** Lets `work` use the database in `folder` through a connection of its own. */
export function inDatabase<T>(folder: string, work: (database: Database) => T): T {
  const database = new Database(join(folder, "handoff.db"));
  try {
    database.run("PRAGMA busy_timeout = 5000");
    return work(database);
  } finally {
    database.close();
  }
}

/** The length of all ciphertexts in the database in `folder`, in bytes. */
export function heldBytes(folder: string): number {
  const text = "SELECT sum(length(ciphertext)) AS bytes FROM ciphertexts";
  return inDatabase(folder, (database) => database.query<{ bytes: number | null }, []>(text).get()?.bytes) ?? 0;
}

const SEPARATOR = "--> statement-breakpoint";

/**
 * The bytes that the teams of the database in `folder` take up, counted anew from all that is there, as the migrations
 * do it.
 */
export function recountStoredBytes(folder: string): number {
  return inDatabase(folder, (database) => {
    database.run("BEGIN IMMEDIATE");
    try {
      const [, ...smaller] = withoutTokenIndex.split(SEPARATOR);
      const ofReferences = references.split(SEPARATOR).slice(-1);
      for (const statement of [...recount.split(SEPARATOR), ...smaller, ...ofReferences]) database.run(statement);
      return database.query<{ bytes: number }, []>("SELECT sum(stored_bytes) AS bytes FROM teams").get()?.bytes ?? NaN;
    } finally {
      database.run("ROLLBACK");
    }
  });
}

/** Writes the WAL into the database and empties it. Throws when somebody holds it. */
export function checkpoint(folder: string): void {
  const busy = inDatabase(
    folder,
    (database) => database.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy,
  );
  if (busy !== 0) throw new Error("the checkpoint was held up");
}

/** The names of the files in `folder` in which `marker` can be read. */
export function filesWith(folder: string, marker: string): string[] {
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(marker));
}

/** The size of the WAL in bytes; 0 when there is none. */
export function walBytes(folder: string): number {
  return statSync(join(folder, "handoff.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
}

/** A ciphertext of `length` characters that is full of a marker which is nowhere else. */
export function markedCiphertext(length: number): { readonly marker: string; readonly ciphertext: string } {
  const marker = `marker-${crypto.randomUUID()}-`;
  return { marker, ciphertext: marker.repeat(Math.ceil(length / marker.length)).slice(0, length) };
}
