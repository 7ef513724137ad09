import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newApproval } from "../../../src/domain/values/approvals.ts";
import { createMonotonicClock } from "../../../src/domain/values/clocks.ts";
import { createIds } from "../../../src/domain/values/ids.ts";
import { systemRandom } from "../../../src/domain/values/random.ts";
import { breakSeal, seal } from "../../../src/store/copies/backup-files.ts";
import { writeBackup } from "../../../src/store/copies/folder-backups.ts";
import { restoreBackup } from "../../../src/store/copies/folder-restores.ts";
import { entriesAt } from "../../../src/store/copies/known-tables.ts";
import { LATEST_VERSION } from "../../../src/store/sqlite/engine/migrations.ts";
import { PAGE_BYTES } from "../../../src/store/sqlite/files/ciphertext-pages.ts";
import { fillFolder, handedOut, messageOf, openFolder, readAll } from "../../support/filled-stores.ts";
import type { FilledFolder } from "../../support/filled-stores.ts";
import { OLD_DATABASES, writeOldDatabase } from "../../support/old-databases.ts";
import { inDatabase, recountStoredBytes } from "../../support/sqlite-files.ts";
import { addSecret, claim, OPERATOR } from "../../support/stores.ts";
import { createTestClock } from "../../support/test-clocks.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const source = await fillFolder();
afterAll(() => source[Symbol.dispose]());

/** Backs up a data folder with its secrets. Returns the path of the backup. */
function backUp({ folder, time }: Pick<FilledFolder, "folder" | "time">): string {
  const path = `${folder}.backup`;
  writeBackup(folder, path, { takenAt: time.now(), hasSecrets: true });
  return path;
}

/** Restores the backup `path`, with its open secrets unless they are to be ended. Returns the data folder. */
async function restore(path: string, now = source.time.now(), keepSecrets = true): Promise<string> {
  const clock = createMonotonicClock(createTestClock(now));
  const folder = `${path}-restored${keepSecrets ? "" : "-ended"}`;
  await restoreBackup({
    folder,
    write: async (to) => copyFileSync(path, to),
    given: path,
    keepSecrets,
    tombstoneSeconds: 86_400,
    operator: OPERATOR,
    clock,
    ids: createIds(clock, systemRandom),
  });
  return folder;
}

/**
 * Applies `change` to a copy of the backup `path`, as a person with write access to the backups could. Returns the
 * copy.
 */
function tamper(path: string, name: string, change: Change): string {
  const copy = `${path}-${name.replaceAll(/\W/g, "-")}`;
  copyFileSync(path, copy);
  breakSeal(copy);
  if (typeof change === "function") {
    const database = new Database(copy);
    try {
      change(database);
    } finally {
      database.close();
    }
  } else {
    const [from, to] = change;
    const bytes = readFileSync(copy, "latin1");
    expect(bytes).toContain(from);
    writeFileSync(copy, bytes.replaceAll(from, to.padEnd(from.length)), "latin1");
  }
  seal(copy);
  return copy;
}

/**
 * A change of a backup: by SQLite, or where SQLite refuses it, by replacing a text in the file with one that isn't
 * longer.
 */
type Change = ((database: Database) => void) | readonly [from: string, to: string];

const backup = backUp(source);

const entriesIn = (folder: string) =>
  inDatabase(folder, (database) =>
    database
      .query<{ type: string; name: string }, []>(
        "SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name",
      )
      .all(),
  );

const ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";

test("mails that waited when a backup was made aren't sent by a server on the restored one", async () => {
  const withMail = tamper(backup, "with a mail", (database) =>
    database.run("INSERT INTO mails VALUES ('m', 'notices', 'ann@a.test', 'en', '{}', 0, 0, 9000000000000, 0)"),
  );
  const count = (database: Database) => database.query("SELECT count(*) AS count FROM mails").get();
  expect(inDatabase(await restore(withMail), count)).toEqual({ count: 0 });
});

test("a restore ignores triggers, views and tables that were added to the backup", async () => {
  const path = tamper(backup, "grown", (database) => {
    database.run("CREATE TABLE kept (n, body)");
    for (const moment of ["BEFORE DELETE", "BEFORE UPDATE", "AFTER INSERT"]) {
      const row = moment === "AFTER INSERT" ? "new" : "old";
      database.run(
        `CREATE TRIGGER "steal ${moment}" ${moment} ON ciphertexts BEGIN INSERT INTO kept VALUES (${row}.secret_seq, ${row}.ciphertext); END`,
      );
    }
    // It would run until the disk is full.
    database.run(
      `CREATE TRIGGER fill AFTER INSERT ON admin_log BEGIN INSERT INTO kept ${ENDLESS} SELECT i, zeroblob(1000) FROM n; END`,
    );
    database.run(`CREATE VIEW endless AS ${ENDLESS} SELECT i FROM n`);
    database.run("CREATE INDEX slow ON secrets (length(hex(zeroblob(100000000))))");
    database.run("CREATE VIRTUAL TABLE found USING fts5(body)");
    // Deleted rows leave their bytes in the file.
    database.run("PRAGMA secure_delete = OFF");
    database.run("INSERT INTO kept VALUES (1, ?)", ["canary-of-a-deleted-row".repeat(1000)]);
    database.run("DELETE FROM kept");
  });
  expect(readFileSync(path).includes("canary-of-a-deleted-row")).toBe(true);
  const folder = await restore(path);
  const known = entriesAt(LATEST_VERSION).map(({ type, name }) => ({ type, name }));
  expect(entriesIn(folder)).toEqual(known.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  expect(readdirSync(folder)).toEqual(["handoff.db"]);
  expect(readFileSync(join(folder, "handoff.db")).includes("canary-of-a-deleted-row")).toBe(false);
  const restored = openFolder(folder, source.time);
  const { adminLog, ...after } = await readAll(restored, source.filled);
  const { adminLog: logBefore, ...before } = source.before;
  expect(after).toEqual(before);
  expect(adminLog).toHaveLength(logBefore.length + 1);
  const { teamId, waiting } = source.filled;
  expect(await handedOut(claim(restored, { id: waiting, teamId }))).toBe(`text-of-${waiting}`);
  await restored.store.close();
});

test("tables and other objects that aren't handoff's are left out of a backup", async () => {
  using own = await fillFolder();
  inDatabase(own.folder, (database) => {
    database.run("CREATE TABLE kept (body)");
    database.run("INSERT INTO kept VALUES ('canary-of-a-foreign-table')");
    database.run(
      "CREATE TRIGGER steal BEFORE DELETE ON ciphertexts BEGIN INSERT INTO kept VALUES (old.ciphertext); END",
    );
  });
  const bytes = readFileSync(backUp(own));
  expect([bytes.includes("canary-of-a-foreign-table"), bytes.includes("steal")]).toEqual([false, false]);
});

const textOf = (table: string) => entriesAt(LATEST_VERSION).find(({ name }) => name === table)?.sql ?? "";

test("a backup of an earlier schema is restored", async () => {
  // Every fourth version, because each restore takes its time.
  for (const old of OLD_DATABASES.filter(({ version }) => version % 4 === 1)) {
    const folder = `${source.folder}-${old.version}`;
    mkdirSync(folder, { mode: 0o700 });
    writeOldDatabase(old, folder);
    const restored = await restore(backUp({ folder, time: source.time }), Date.parse("2026-11-27T00:00:00Z"));
    expect(inDatabase(restored, (database) => database.query("PRAGMA user_version").get())).toEqual({
      user_version: LATEST_VERSION,
    });
    const { secrets = [], requests = [] } = old.tables;
    const counts = "SELECT (SELECT count(*) FROM secrets) AS secrets, (SELECT count(*) FROM requests) AS requests";
    const kept = inDatabase(restored, (database) => database.query(counts).get());
    expect(kept).toEqual({ secrets: secrets.length, requests: requests.length });
  }
}, 30_000);

/** Changes of a backup, and the error that each leads to. */
const CHANGED: Readonly<Record<string, { readonly change: Change; readonly text: string }>> = {
  "a table is a view": {
    change: (database) => {
      database.run("DROP TABLE human_tokens");
      database.run(`CREATE VIEW human_tokens AS ${ENDLESS} SELECT i AS token_hash FROM n`);
    },
    text: "'human_tokens' is not the table that handoff makes",
  },
  "the facts are a view without an end": {
    change: (database) => {
      database.run("DROP TABLE backup");
      database.run(`CREATE VIEW backup AS ${ENDLESS} SELECT max(i) AS taken_at, 1 AS has_secrets FROM n`);
    },
    text: "is no backup",
  },
  "version 0, and a clock without an end": {
    change: (database) => {
      database.run("PRAGMA user_version = 0");
      database.run("DROP TABLE clocks");
      database.run(`CREATE VIEW clocks AS ${ENDLESS} SELECT i AS latest_at FROM n`);
    },
    text: "is no backup",
  },
  "version -1, and a clock without an end": {
    change: (database) => {
      database.run("PRAGMA user_version = -1");
      database.run("DROP TABLE clocks");
      database.run(`CREATE VIEW clocks AS ${ENDLESS} SELECT i AS latest_at FROM n`);
    },
    text: "is no backup",
  },
  "a view that says it is a table": {
    change: [
      textOf("server_settings"),
      "CREATE VIEW server_settings AS WITH n(i)AS(SELECT 1 UNION SELECT i+1 FROM n)SELECT i AS id FROM n",
    ],
    text: "malformed database schema (server_settings)",
  },
  "a virtual table": {
    change: (database) => {
      database.run("DROP TABLE webhook_deliveries");
      database.run("CREATE VIRTUAL TABLE webhook_deliveries USING fts5(id)");
    },
    text: "'webhook_deliveries' is not the table that handoff makes",
  },
  "a column that is computed": {
    change: (database) => database.run("ALTER TABLE clocks ADD slow AS (length(hex(zeroblob(400000000))))"),
    text: "'clocks' is not the table that handoff makes",
  },
  "a column that is computed and says nothing of it": {
    change: ["`latest_at` integer NOT NULL", "`latest_at` INT AS (id * 9)"],
    text: "'clocks' is not the table that handoff makes",
  },
  "a condition that takes long": {
    change: ["`public_id` text NOT NULL", "`public_id` CHECK(id > 0)"],
    text: "'installations' is not the table that handoff makes",
  },
  "a column of another type": {
    change: ["`latest_at` integer", "`latest_at` text"],
    text: "'clocks' is not the table that handoff makes",
  },
  "a table that is gone": {
    change: (database) => database.run("DROP TABLE webhooks"),
    text: "'webhooks' is not the table that handoff makes",
  },
  "a time that never comes": {
    change: (database) => database.run("UPDATE clocks SET latest_at = 9007199254740991"),
    text: "has seen the end of time, and the clock says 2",
  },
  "a time in 30 years": {
    change: (database) => database.run("UPDATE clocks SET latest_at = latest_at + 946080000000"),
    text: "Nothing was restored. If the clock is wrong, set it",
  },
  "a moment that is none": {
    change: (database) => database.run("UPDATE backup SET taken_at = 9007199254740991"),
    text: "is damaged (it has no time)",
  },
  "a value of another type": {
    change: (database) => database.run("UPDATE ciphertexts SET ciphertext = CAST(ciphertext AS BLOB)"),
    text: "'ciphertext' of a row of 'ciphertexts' has a value that handoff never writes",
  },
  "a state that there isn't": {
    change: (database) => database.run("UPDATE secrets SET state = 'open'"),
    text: "'state' of a row of 'secrets' has a value that handoff never writes",
  },
  "networks that are none": {
    change: (database) => database.run("UPDATE api_keys SET networks = ''"),
    text: "'networks' of a row of 'api_keys' has a value that handoff never writes",
  },
  "scopes that can't be read": {
    change: (database) => database.run("UPDATE identities SET scopes = '['"),
    text: "'scopes' of a row of 'identities' has a value that handoff never writes",
  },
  ...Object.fromEntries(
    [
      "{",
      "null",
      "[]",
      "{}",
      '"requireFor"',
      '{"requireFor":false}',
      '{"maxTtlSeconds":"1d"}',
      '{"maxTtlSeconds":0}',
      '{"maxClaims":1e99}',
      '{"maxClaims":1,"approval":"nobody"}',
      '{"maxClaims":1,"approvals":"team"}',
      '{"forDomains":"example.com"}',
      '{"forDomains":[]}',
      '{"forDomains":[1]}',
    ].map((rules) => [
      `rules of a team that are ${rules}`,
      {
        change: (database: Database) => void database.run("UPDATE teams SET rules = ?", [rules]),
        text: "'rules' of a row of 'teams' has a value that handoff never writes",
      },
    ]),
  ),
  ...Object.fromEntries(
    ["", "nobody", "{}", "[", '{"by":"team"}', '{"by":"team","asks":[1]}', '{"by":"team","asks":[{"id":"ask_1"}]}'].map(
      (approval) => [
        `an approval that is ${approval}`,
        {
          change: (database: Database) => void database.run("UPDATE secrets SET approval = ?", [approval]),
          text: "'approval' of a row of 'secrets' has a value that handoff never writes",
        },
      ],
    ),
  ),
  "a time of a row that never comes": {
    change: (database) => database.run("UPDATE secrets SET expires_at = 9007199254740991"),
    text: "'expires_at' of a row of 'secrets' has a value that handoff never writes",
  },
  "a ciphertext that erasing would leave behind": {
    change: (database) => database.run("UPDATE ciphertexts SET guard = zeroblob(0)"),
    text: "'guard' of a row of 'ciphertexts' has a value that handoff never writes",
  },
  "two rows of which there can be one": {
    change: (database) => {
      database.run("DROP INDEX teams_name_unique");
      database.run("UPDATE teams SET name = 'one'");
    },
    text: "is damaged (UNIQUE constraint failed: teams.name)",
  },
  "a row of nobody": {
    change: (database) => database.run("DELETE FROM teams"),
    text: "belongs to one that is not there",
  },
};

test("a backup in which a table has the same page several times is refused", async () => {
  let root = 0;
  const path = tamper(backup, "again", (database) => {
    const row = database.query<{ root: number }, []>(
      "SELECT rootpage AS root FROM sqlite_schema WHERE name = 'ciphertexts'",
    );
    root = row.get()?.root ?? 0;
  });
  breakSeal(path);
  const bytes = readFileSync(path);
  const page = bytes.subarray((root - 1) * PAGE_BYTES, root * PAGE_BYTES);
  // An inner page of a table: its header is followed by the offsets of its cells, and each cell begins with a page
  // number.
  expect(page[0]).toBe(5);
  const cells = Array.from({ length: page.readUInt16BE(3) }, (_, n) => page.readUInt16BE(12 + 2 * n));
  for (const cell of cells) page.writeUInt32BE(page.readUInt32BE(cells[0]), cell);
  writeFileSync(path, bytes);
  seal(path);
  expect(await messageOf(restore(path))).toContain("is damaged (");
});

test.each(Object.entries(CHANGED))(
  "a backup with %s is refused with a message, and nothing is left behind",
  async (name, { change, text }) => {
    const path = tamper(backup, name, change);
    expect(await messageOf(restore(path))).toContain(text);
    expect(readdirSync(`${path}-restored`)).toEqual([]);
  },
);

test("nothing stays open in a restore, not even what is overdue by a clock that is set back later", async () => {
  using own = await fillFolder();
  const folder = await restore(backUp(own), own.time.now() + 40 * DAY_MS, false);
  const rows = (text: string) => inDatabase(folder, (database) => database.query(text).all());
  expect(rows("SELECT id FROM secrets WHERE state = 'available'")).toEqual([]);
  expect(rows("SELECT id FROM requests WHERE ended_at IS NULL")).toEqual([]);
  expect(rows("SELECT rowid FROM ciphertexts")).toEqual([]);
});

test("teams of a restored backup are charged for what approvals take up, too", async () => {
  using waiting = await fillFolder();
  const place = openFolder(waiting.folder, waiting.time);
  await addSecret(place, waiting.filled.teamId, { approval: newApproval("team") });
  await place.store.close();
  const folder = await restore(backUp(waiting), waiting.time.now());
  const charged = inDatabase(folder, (database) =>
    database.query<{ bytes: number }, []>("SELECT sum(stored_bytes) AS bytes FROM teams").get(),
  );
  expect(charged?.bytes).toBe(recountStoredBytes(folder));
});
