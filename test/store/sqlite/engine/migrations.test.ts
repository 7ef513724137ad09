import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { LATEST_VERSION, migrate } from "../../../../src/store/sqlite/engine/migrations.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const ROOT = join(import.meta.dir, "../../../..");
const MIGRATIONS = join(ROOT, "drizzle/sqlite");

/** Runs drizzle-kit on the schema, and returns what it prints. */
async function runKit(...args: readonly string[]): Promise<string> {
  const command = ["drizzle-kit", ...args, "--dialect", "sqlite", "--schema", "./src/store/sqlite/schema.ts"];
  const kit = Bun.spawn([process.execPath, "x", "--no-install", ...command], {
    cwd: ROOT,
    stdin: "ignore",
    stderr: "inherit",
  });
  const printed = await kit.stdout.text();
  expect(await kit.exited).toBe(0);
  return printed;
}

/**
 * Returns every table of a database with its columns and indexes, sorted by name: a migration adds columns after the
 * others.
 */
function describeTables(database: Database): Record<string, unknown> {
  const names = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  const read = (pragma: string, table: string) =>
    database.query<Record<string, unknown>, [string]>(`SELECT * FROM pragma_${pragma}(?) ORDER BY name`).all(table);
  return Object.fromEntries(
    names.map(({ name }) => [
      name,
      {
        columns: read("table_info", name).map(({ cid: _position, ...column }) => column),
        indexes: read("index_list", name).map(({ name: index, unique, partial }) => ({
          index,
          unique,
          partial,
          columns: database.query("SELECT seqno, name, desc FROM pragma_index_xinfo(?) WHERE key").all(String(index)),
        })),
        keys: database
          .query(`SELECT "table", "from", "to", on_delete FROM pragma_foreign_key_list(?) ORDER BY "from"`)
          .all(name),
      },
    ]),
  );
}

test("the migrations match the schema: drizzle-kit finds nothing to add", async () => {
  using folder = temporaryFolder();
  const copy = join(folder.path, "sqlite");
  cpSync(MIGRATIONS, copy, { recursive: true });
  const files = readdirSync(copy);
  // drizzle-kit accepts no absolute path.
  expect(await runKit("generate", "--out", relative(ROOT, copy))).toContain("No schema changes");
  expect(readdirSync(copy)).toEqual(files);
});

test("every migration is embedded, and together they create the tables of the schema", async () => {
  expect(readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"))).toHaveLength(LATEST_VERSION);
  using migrated = new Database(":memory:");
  migrate(migrated);
  using fresh = new Database(":memory:");
  fresh.run(await runKit("export"));
  expect(Object.keys(describeTables(fresh)).length).toBeGreaterThan(5);
  expect(describeTables(migrated)).toEqual(describeTables(fresh));
});
