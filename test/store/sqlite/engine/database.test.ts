import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../../../src/store/sqlite/engine/database.ts";
import { openBallast } from "../../../../src/store/sqlite/files/ballast.ts";
import { DatabaseError } from "../../../../src/store/sqlite/files/errors.ts";
import { lockFolder } from "../../../../src/store/sqlite/files/server-lock.ts";
import { mountTmpfs, remount } from "../../../support/mounts.ts";
import { openSqliteSecrets } from "../../../support/sqlite-secrets.ts";
import { claimInProcesses } from "../../../support/store-processes.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

const MIB = 1024 * 1024;
const MIGRATIONS = readdirSync("drizzle/sqlite").filter((name) => name.endsWith(".sql")).length;
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Returns the error message for the database in `folder`. */
function refusal(folder: string): string {
  try {
    openDatabase(folder).close();
  } catch (error) {
    if (error instanceof DatabaseError) return error.message;
    throw error;
  }
  return "it was opened";
}

test("only the owner can access the folder and its files", async () => {
  process.umask(0o022);
  await using secrets = await openSqliteSecrets({}, { ballastBytes: MIB });
  await secrets.create("text");
  const { folder } = secrets;
  const names = readdirSync(folder).toSorted();
  expect(names).toEqual(["ballast", "handoff.db", "handoff.db-shm", "handoff.db-wal"]);
  expect(names.map((name) => modeOf(join(folder, name)))).toEqual(["600", "600", "600", "600"]);
  using parent = temporaryFolder();
  const made = join(parent.path, "a", "b");
  openDatabase(made).close();
  expect([made, join(parent.path, "a")].map(modeOf)).toEqual(["700", "700"]);
});

test("every setting that durability and erasure depend on is set", () => {
  using folder = temporaryFolder();
  const database = openDatabase(folder.path);
  const read = (name: string) => database.query<Record<string, unknown>, []>(`PRAGMA ${name}`).values().flat()[0];
  const names = [
    "journal_mode",
    "synchronous",
    "secure_delete",
    "foreign_keys",
    "busy_timeout",
    "page_size",
    "temp_store",
  ];
  expect(names.map(read)).toEqual(["wal", 2, 1, 1, 5000, 4096, 2]);
  database.close();
});

/** Returns every file in `folder` with its content and modification time. */
function snapshot(folder: string) {
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      const { mtimeMs, mode, size } = lstatSync(path);
      const content = lstatSync(path).isFile() ? Bun.hash(readFileSync(path)).toString() : "";
      return { name, mtimeMs, mode, size, content };
    });
}

/** Creates a database in `folder`, and then applies `change` to it directly. */
function makeDatabase(folder: string, change: (database: Database) => void): void {
  const database = openDatabase(folder);
  change(database);
  database.close();
}

/** Overwrites bytes of the database file. */
function overwrite(folder: string, offset: number, bytes: readonly number[]): void {
  const file = openSync(join(folder, "handoff.db"), "r+");
  writeSync(file, Uint8Array.from(bytes), 0, bytes.length, offset);
  closeSync(file);
}

const FOREIGN = (folder: string, pragma: string) => {
  const database = new Database(join(folder, "handoff.db"));
  database.run("CREATE TABLE photos (id)");
  database.run(pragma);
  database.close();
};
const NOTHING = () => undefined;

/** What lies in the place of the database, and the expected error. */
const UNUSABLE: readonly [what: string, make: (folder: string) => void, says: RegExp][] = [
  [
    "a database of a newer version",
    (folder) => makeDatabase(folder, (database) => database.run("PRAGMA user_version = 99")),
    /^the database '.*' was written by a newer version of handoff\. Nothing in it was changed\. Install that version/,
  ],
  [
    "a text",
    (folder) => writeFileSync(join(folder, "handoff.db"), "This is a letter, and a long one at that. ".repeat(100)),
    /^'.*handoff\.db' is not a SQLite database, or its first bytes are damaged/,
  ],
  [
    "a few bytes",
    (folder) => writeFileSync(join(folder, "handoff.db"), "SQLite"),
    /is not a SQLite database, or its first bytes are damaged/,
  ],
  [
    "another program's database",
    (folder) => FOREIGN(folder, "PRAGMA user_version = 3"),
    /is a database of another program/,
  ],
  [
    "another program's database with an id of its own",
    (folder) => FOREIGN(folder, "PRAGMA application_id = 42"),
    /is a database of another program/,
  ],
  [
    "a folder",
    (folder) => mkdirSync(join(folder, "handoff.db")),
    /^'.*handoff\.db' is a folder, and the database is to be/,
  ],
  [
    "a header without its first bytes",
    (folder) => (makeDatabase(folder, NOTHING), overwrite(folder, 0, [0, 0, 0, 0])),
    /is not a SQLite database, or its first bytes are damaged/,
  ],
  [
    "a header with another page size",
    (folder) => (makeDatabase(folder, NOTHING), overwrite(folder, 16, [0x20, 0])),
    /^the database '.*' is damaged\. Nothing in it was changed\. Restore a backup/,
  ],
  [
    "a database that is cut off",
    (folder) => (makeDatabase(folder, NOTHING), truncateSync(join(folder, "handoff.db"), 3 * 4096)),
    /^the database '.*' is cut off: it has 12288 of \d+ bytes\. Nothing in it was changed\. Restore a backup/,
  ],
  [
    "a restored backup with the WAL of the database before it",
    (folder) => {
      using other = temporaryFolder();
      const database = openDatabase(other.path);
      database.run("CREATE TABLE more (id)");
      database.run(`VACUUM INTO '${join(folder, "handoff.db")}'`);
      for (const end of ["-wal", "-shm"]) {
        writeFileSync(join(folder, `handoff.db${end}`), readFileSync(join(other.path, `handoff.db${end}`)), {
          mode: 0o600,
        });
      }
      database.close();
    },
    /^'.*handoff\.db' is a backup.*belongs to the database from before\. Nothing in it was changed\. .* first stop any server that runs on it, then run: rm '.*-wal' '.*-shm'$/,
  ],
  [
    "an empty database beside an old ballast and WAL",
    (folder) =>
      ["handoff.db", "handoff.db-wal", "ballast"].forEach((name) =>
        writeFileSync(join(folder, name), name === "handoff.db" ? "" : "old"),
      ),
    /is empty, but its latest changes are there, in '.*-wal'.* first stop any server that runs on it, then run: rm '.*-wal' '.*ballast'$/,
  ],
  [
    "a missing database beside an old ballast",
    (folder) => writeFileSync(join(folder, "ballast"), "old"),
    /is missing, but ballast beside it says that there was one/,
  ],
  [
    "a link in the place of the database",
    (folder) => symlinkSync("elsewhere", join(folder, "handoff.db")),
    /is a symbolic link, and handoff follows none there/,
  ],
  [
    "a header with fractions that SQLite never writes",
    (folder) => (makeDatabase(folder, NOTHING), overwrite(folder, 21, [1, 2, 3])),
    /^the database '.*' is damaged/,
  ],
];

for (const [what, make, says] of UNUSABLE) {
  test(`${what} is named in the error, and no byte of it is written`, () => {
    using folder = temporaryFolder();
    process.umask(what === "a folder" ? 0o022 : 0o077);
    make(folder.path);
    const before = snapshot(folder.path);
    expect(refusal(folder.path)).toMatch(says);
    expect(snapshot(folder.path)).toEqual(before);
  });
}

test("a newer version with a WAL that a crash left behind is refused too, and stays unchanged", () => {
  using folder = temporaryFolder();
  using crashed = temporaryFolder();
  const database = openDatabase(folder.path);
  database.run("CREATE TABLE newer (id)");
  database.run("PRAGMA user_version = 99");
  for (const name of ["handoff.db", "handoff.db-wal"]) {
    writeFileSync(join(crashed.path, name), readFileSync(join(folder.path, name)), { mode: 0o600 });
  }
  database.close();
  for (let n = 0; n < 2; n++) expect(refusal(crashed.path)).toContain("newer version of handoff");
  using left = new Database(join(crashed.path, "handoff.db"));
  expect(left.query("PRAGMA user_version").values()).toEqual([[99]]);
  expect(left.query("SELECT * FROM newer").values()).toEqual([]);
});

test("the file of a database has its version as soon as it is migrated", () => {
  using folder = temporaryFolder();
  using database = openDatabase(folder.path);
  const version = database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version;
  const header = readFileSync(join(folder.path, "handoff.db")).subarray(0, 100);
  expect(header.readUInt32BE(60)).toBe(version ?? 0);
});

test("a database of a version without an application id is opened, and gets one", () => {
  using folder = temporaryFolder();
  makeDatabase(folder.path, (database) => database.run("PRAGMA application_id = 0"));
  const database = openDatabase(folder.path);
  expect(database.query("PRAGMA application_id").values()).toEqual([[0x68_64_6f_66]]);
  database.close();
});

test("a database of a version without an application id is opened with changes that are only in its WAL", () => {
  using folder = temporaryFolder();
  using crashed = temporaryFolder();
  const database = openDatabase(folder.path);
  database.run("PRAGMA application_id = 0");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  // More tables than fit into the first page. With that page but not the others, the file alone isn't consistent.
  for (let n = 0; n < 50; n++) database.run(`CREATE TABLE more_${n} (id, text, more, ${"x".repeat(100)})`);
  const files = ["handoff.db", "handoff.db-wal"].map((name) => join(folder.path, name));
  const [old = Buffer.alloc(0), wal = Buffer.alloc(0)] = files.map((path) => readFileSync(path));
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const first = readFileSync(files[0] ?? "").subarray(0, 4096);
  database.close();
  // As after a kill during a checkpoint, which begins with the first page.
  writeFileSync(join(crashed.path, "handoff.db"), Buffer.concat([first, old.subarray(4096)]), { mode: 0o600 });
  writeFileSync(join(crashed.path, "handoff.db-wal"), wal, { mode: 0o600 });
  expect(refusal(crashed.path)).toBe("it was opened");
});

test("a database that lost power before it had a table starts anew, whatever WAL lies beside it", () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const database = new Database(join(folder.path, "handoff.db"));
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  database.run("PRAGMA application_id = 0x68646f66");
  database.close();
  const beside = openDatabase(other.path);
  beside.run("CREATE TABLE more (id)");
  const wal = readFileSync(join(other.path, "handoff.db-wal"));
  beside.close();
  const first = readFileSync(join(folder.path, "handoff.db"));
  for (const left of [wal.subarray(0, 32), new Uint8Array(4096)]) {
    for (const [name, bytes] of [
      ["handoff.db", first],
      ["handoff.db-wal", left],
    ] as const) {
      writeFileSync(join(folder.path, name), bytes, { mode: 0o600 });
    }
    expect(refusal(folder.path)).toBe("it was opened");
  }
});

test("a folder or file that others can read or write is refused, with the command that fixes it", () => {
  using parent = temporaryFolder();
  const folder = join(parent.path, "it's here");
  makeDatabase(folder, NOTHING);
  const database = join(folder, "handoff.db");
  for (const [path, bad, good, can] of [
    [folder, 0o750, "700", "read"],
    [folder, 0o703, "700", "write"],
    [database, 0o640, "600", "read"],
    [database, 0o602, "600", "write"],
  ] as const) {
    const before = snapshot(folder);
    chmodSync(path, bad);
    const said = refusal(folder);
    expect(said).toContain(`others than its owner can ${can} the`);
    expect(snapshot(folder).map(({ mtimeMs }) => mtimeMs)).toEqual(before.map(({ mtimeMs }) => mtimeMs));
    const [, command = "false"] = /Run: (.*)$/.exec(said) ?? [];
    expect(command).toStartWith(`chmod ${good} `);
    expect(Bun.spawnSync(["sh", "-c", command]).success).toBe(true);
    expect(refusal(folder)).toBe("it was opened");
  }
});

test("the ballast is never written through a symbolic link", async () => {
  using folder = temporaryFolder();
  const precious = join(folder.path, "precious");
  writeFileSync(precious, "content");
  using database = openDatabase(folder.path);
  const ballast = join(folder.path, "ballast");
  symlinkSync(precious, ballast);
  expect(openBallast(ballast, MIB).acquire(database)).toBe(true);
  expect(readFileSync(precious, "utf8")).toBe("content");
  expect(lstatSync(ballast)).toMatchObject({ size: MIB });
});

test("a file in the place of the folder is named in the error", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "file");
  writeFileSync(path, "");
  expect(refusal(path)).toBe(`the data folder '${path}' is a file, or lies in one`);
  expect(refusal(join(path, "below"))).toEndWith("is a file, or lies in one");
});

test("a read-only file system is named in the error, with and without a database on it", () => {
  using empty = mountTmpfs("1m", "ro");
  using disk = mountTmpfs("8m");
  makeDatabase(disk.path, NOTHING);
  remount(disk.path, "ro");
  for (const { path } of [empty, disk]) {
    for (const folder of path === empty.path ? [path, join(path, "below")] : [path]) {
      const says = new RegExp(
        `: the file system of '${path}(/handoff\\.db)?' is mounted read-only\\. Mount it writable`,
      );
      expect(refusal(folder)).toMatch(says);
      expect(() => lockFolder(folder)).toThrow(says);
    }
  }
  remount(disk.path, "rw");
  expect(refusal(disk.path)).toBe("it was opened");
});

test("a full file system is named with the space that a start needs, and that space is enough", () => {
  for (const size of ["64k", "256k"]) {
    using disk = mountTmpfs(size);
    const says = `there is no room left on the file system of '${disk.path}'. Make at least 1 MiB free there, then try again. To see what is used, run: df -h '${disk.path}'`;
    expect(refusal(disk.path)).toEndWith(says);
  }
  using enough = mountTmpfs("1m");
  expect(refusal(enough.path)).toBe("it was opened");
  using ofTwoFiles = mountTmpfs("8m", "nr_inodes=2");
  expect(refusal(ofTwoFiles.path)).toContain(`the file system of '${ofTwoFiles.path}' takes no more files.`);
  expect(() => lockFolder(join(ofTwoFiles.path, "data"))).toThrow("takes no more files. Delete some there");
});

test("a database that another program has locked is named in the error, after a wait", () => {
  using folder = temporaryFolder();
  openDatabase(folder.path).close();
  const other = new Database(join(folder.path, "handoff.db"));
  other.run("PRAGMA locking_mode = EXCLUSIVE");
  other.run("BEGIN EXCLUSIVE");
  const start = performance.now();
  expect(() => openDatabase(folder.path, 100)).toThrow("another program holds it locked");
  expect(performance.now() - start).toBeGreaterThanOrEqual(90);
  other.close();
});

test("processes that create a database at the same time can all open it", async () => {
  for (let round = 0; round < 3; round++) {
    using folder = temporaryFolder();
    expect(await claimInProcesses(folder.path, "tea_none", [[], [], [], [], [], []])).toEqual([[], [], [], [], [], []]);
    const database = openDatabase(folder.path);
    expect(database.query("PRAGMA user_version").values()).toEqual([[MIGRATIONS]]);
    expect(database.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    database.close();
  }
}, 30_000);
