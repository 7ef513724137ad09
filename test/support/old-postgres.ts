import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import type { ConnectionOptions } from "../../src/store/postgres/engine/database.ts";
import { LATEST_VERSION } from "../../src/store/postgres/engine/migrations.ts";

const MIGRATIONS = "drizzle/postgres";

/**
 * Makes of an empty database one in which only the first `version` migrations have run, and returns how to connect to
 * it.
 */
export async function makeOldDatabase(connection: ConnectionOptions, version: number): Promise<ConnectionOptions> {
  await using client = new SQL({ ...connection, adapter: "postgres", max: 1 });
  const names = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  await client.unsafe("CREATE TABLE migrations (version integer PRIMARY KEY)");
  for (const [index, name] of names.toSorted().slice(0, version).entries()) {
    const text = readFileSync(join(MIGRATIONS, name), "utf8");
    for (const statement of text.split("--> statement-breakpoint")) await client.unsafe(statement);
    await client.unsafe("INSERT INTO migrations VALUES ($1)", [index + 1]);
  }
  return connection;
}

/** Takes the last migration back in a database that is up to date. Its servers go on, as older ones. */
export async function takeBackLast(beside: SQL): Promise<void> {
  await beside.unsafe("DROP TABLE upload_parts, uploads");
  await beside.unsafe("ALTER TABLE secrets ALTER COLUMN ciphertext_bytes TYPE integer");
  await beside.unsafe("DELETE FROM migrations WHERE version = $1", [LATEST_VERSION]);
}
