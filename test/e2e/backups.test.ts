import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { jsonOf } from "../support/executions.ts";
import { mountTmpfs } from "../support/mounts.ts";
import { openPlace } from "../support/people.ts";
import type { Person, Place } from "../support/people.ts";
import { startProgram } from "../support/running.ts";
import { recountStoredBytes } from "../support/sqlite-files.ts";

const TEXT = "fake-local-test-only";

/** Runs `handoff admin …` on the server's machine, over the data folder `data`. */
const adminOf = (place: Place) => {
  const admin = place.person("admin");
  return {
    home: admin.home,
    run: (data: string, ...args: readonly string[]) => admin.run(["admin", ...args, "--data-dir", data]),
    must: (data: string, ...args: readonly string[]) => admin.must(["admin", ...args, "--data-dir", data]),
    pipe: (data: string, stdin: Uint8Array, ...args: readonly string[]) =>
      admin.run(["admin", ...args, "--data-dir", data], { stdin }),
  };
};

const dataOf = (place: Place) => join(place.folder, "data");

/** A server over the restored `data`, with the keys and links of `person`. */
async function serve(data: string) {
  return startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", data]);
}

/** Returns `link` for the server at `url`. */
const moved = (link: string, url: string) => link.replace(/^http:\/\/[^/]+/, url);

/** The state of every secret of `person` on the server at `url`, by id. */
async function statesOf(person: Person, url: string): Promise<Record<string, string>> {
  const { stdout } = await person.run(["list", "--json"], { env: { HANDOFF_URL: url } });
  const rows: readonly { id: string; state: string }[] = JSON.parse(stdout).data ?? JSON.parse(stdout);
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
}

const idIn = (link: string) => /(?:sec|req)_[0-9a-v]{26}/.exec(link)?.[0] ?? "";

test("a backup of a running server has teams, keys and metadata, and no ciphertexts", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann", ["secrets:create", "secrets:read", "requests:create", "requests:read"]);
  const waiting = await ann.must(["send", "--reference", "OPS-4711"], { stdin: TEXT });
  const opened = await ann.must(["send"], { stdin: TEXT });
  const asked = await ann.must(["request", "--note", "the router", "--reference", "OPS-4712"]);
  await ann.must(["open", "--yes", opened]);
  const admin = adminOf(place);
  const before = readdirSync(dataOf(place)).toSorted();
  const done = await admin.run(dataOf(place), "backup", join(admin.home, "one.backup"));
  expect(done).toMatchObject({ exitCode: 0, stdout: `${join(admin.home, "one.backup")}\n` });
  expect(done.stderr).toBe("Backed up (metadata only): teams 1, identities 1, keys 1, secrets 2, requests 1.\n");
  expect(statSync(join(admin.home, "one.backup")).mode & 0o777).toBe(0o600);
  expect(readdirSync(admin.home)).toEqual(["one.backup"]);
  // For the metrics of the server.
  expect(readdirSync(dataOf(place)).toSorted()).toEqual([...before, "last-backup"].toSorted());

  // In no table, and in no byte of the file either.
  const stored = new Database(join(dataOf(place), "handoff.db"), { readonly: true });
  const [{ ciphertext } = { ciphertext: "" }] = stored
    .query<{ ciphertext: string }, []>("SELECT ciphertext FROM ciphertexts")
    .all();
  const [{ note } = { note: "" }] = stored
    .query<{ note: string }, []>("SELECT ciphertext AS note FROM request_notes")
    .all();
  stored.close();
  const bytes = readFileSync(join(admin.home, "one.backup"));
  expect([ciphertext.length > 100, note.length > 100]).toEqual([true, true]);
  expect([bytes.includes(ciphertext.slice(0, 60)), bytes.includes(note.slice(0, 60))]).toEqual([false, false]);

  // Restored, open secrets have ended: they may have been opened since.
  const there = join(place.folder, "there");
  const restored = await admin.run(there, "restore", join(admin.home, "one.backup"));
  expect(restored).toMatchObject({ exitCode: 0, stdout: "" });
  expect(restored.stderr).toContain("Revoked what was open: secrets 1, requests 1.\n");
  expect(readdirSync(there).toSorted()).toEqual(["handoff.db"]);
  expect(statSync(join(there, "handoff.db")).mode & 0o777).toBe(0o600);
  await using server = await serve(there);
  expect(await statesOf(ann, server.url)).toEqual({ [idIn(waiting)]: "revoked", [idIn(opened)]: "claimed" });
  const refused = await place.person("bob").run(["open", "--yes", moved(waiting, server.url)]);
  expect(refused).toMatchObject({ exitCode: 4, stdout: "" });
  const status = await ann.must(["status", idIn(asked), "--json"], { env: { HANDOFF_URL: server.url } });
  expect(JSON.parse(status)).toMatchObject({ state: "revoked", reference: "OPS-4712" });
  const listed = await ann.must(["list", "--reference", "OPS-4711", "--json"], { env: { HANDOFF_URL: server.url } });
  expect(JSON.parse(listed)).toMatchObject([{ id: idIn(waiting) }]);
  await server[Symbol.asyncDispose]();
  const charged = new Database(join(there, "handoff.db"), { readonly: true });
  const bytesNow = charged.query<{ bytes: number }, []>("SELECT stored_bytes AS bytes FROM teams").get()?.bytes ?? NaN;
  charged.close();
  expect(bytesNow).toBe(recountStoredBytes(there));
});

test("a backup with secrets moves everything to another machine, where links are opened", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const link = await ann.must(["send"], { stdin: TEXT });
  const admin = adminOf(place);
  const backup = await admin.run(dataOf(place), "backup", "-", "--with-secrets");
  expect(backup.exitCode).toBe(0);
  const bytes = Buffer.from(backup.stdout, "latin1");
  expect(readdirSync(dataOf(place)).some((name) => name.includes("part"))).toBe(false);
  await place.server[Symbol.asyncDispose]();
  const there = join(place.folder, "there");
  expect(await admin.pipe(there, bytes, "restore", "-", "--keep-secrets")).toMatchObject({ exitCode: 0, stdout: "" });
  await using server = await serve(there);
  expect(await place.person("bob").must(["open", "--yes", moved(link, server.url)])).toBe(TEXT);

  // Without --keep-secrets the same backup opens nothing.
  const elsewhere = join(place.folder, "elsewhere");
  await admin.pipe(elsewhere, bytes, "restore", "-");
  await using second = await serve(elsewhere);
  expect(await place.person("bob").run(["open", "--yes", moved(link, second.url)])).toMatchObject({ exitCode: 4 });
});

test("a backup during creations and claims has one moment: its counts match, and no claim is half done", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  const admin = adminOf(place);
  let isOver = false;
  const work = async () => {
    while (!isOver) await ann.must(["open", "--yes", await ann.must(["send"], { stdin: TEXT })]);
  };
  const workers = [work(), work(), work()];
  try {
    for (let count = 0; count < 4; count++) {
      const path = join(admin.home, `${count}.backup`);
      const { secrets } = JSON.parse(await admin.must(dataOf(place), "backup", path, "--json"));
      const database = new Database(path, { readonly: true });
      const rows = database
        .query<{ state: string; claims: number; events: number }, []>(
          "SELECT state, claims, (SELECT count(*) FROM events WHERE secret_id = secrets.id) AS events FROM secrets",
        )
        .all();
      database.close();
      expect(rows).toHaveLength(secrets);
      for (const row of rows)
        expect(row).toEqual(
          row.state === "claimed"
            ? { state: "claimed", claims: 1, events: 2 }
            : { state: "available", claims: 0, events: 1 },
        );
    }
  } finally {
    isOver = true;
    await Promise.all(workers);
  }
});

test("a directory's backups are named by time and installation; only that installation's old ones go", async () => {
  await using place = await openPlace();
  const admin = adminOf(place);
  const folder = join(admin.home, "backups");
  mkdirSync(folder);
  const live = await jsonOf(fetch(`${place.server.url}/health/live`));
  const mark = String(live.installation).slice(0, 8);
  const nameOf = (year: number, of: string) => `handoff-${year}0101T000000000Z-${of}.backup`;
  const others = [nameOf(2020, "00000000"), "handoff-20200101T000000000Z.backup", "notes.txt"];
  for (const name of [nameOf(2021, mark), nameOf(2022, mark), ...others]) writeFileSync(join(folder, name), "");
  // A file with the name of a backup that is none stays.
  mkdirSync(join(folder, nameOf(2019, mark)));
  symlinkSync("notes.txt", join(folder, nameOf(2018, mark)));
  const done = await admin.run(dataOf(place), "backup", folder, "--keep", "2");
  expect(done.exitCode).toBe(0);
  expect(done.stderr).toContain(`Deleted ${nameOf(2021, mark)}.\n`);
  const left = readdirSync(folder);
  expect(left).toHaveLength(7);
  expect(left).toEqual(expect.arrayContaining([...others, nameOf(2022, mark), nameOf(2019, mark), nameOf(2018, mark)]));

  // A restored installation is a new one: the backups from before are kept.
  const there = join(place.folder, "there");
  await admin.must(there, "restore", done.stdout.trim());
  const second = (await admin.must(there, "backup", folder, "--keep", "1")).trim();
  expect(readdirSync(folder).toSorted()).toEqual([...left, basename(second)].toSorted());
});

test("files planted in the directory don't block a backup, and leftovers of a killed one are deleted", async () => {
  await using place = await openPlace();
  const admin = adminOf(place);
  const folder = join(admin.home, "backups");
  mkdirSync(folder);
  const live = await jsonOf(fetch(`${place.server.url}/health/live`));
  const prefix = `.handoff-backup-${String(live.installation).slice(0, 8)}`;
  const left = `${prefix}-${crypto.randomUUID()}.part`;
  const planted = [
    `.handoff-backup-${Bun.hash(dataOf(place)).toString(36)}.part`,
    `${prefix}.part`,
    `${prefix}-${crypto.randomUUID()}.part`,
  ];
  // SQLite's additional files, which a killed process leaves too.
  for (const name of [left, `${left}-journal`]) writeFileSync(join(folder, name), "half of one");
  for (const name of planted) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "in-the-way"), "");
  }
  const path = (await admin.must(dataOf(place), "backup", folder)).trim();
  expect(readdirSync(folder).toSorted()).toEqual([...planted, basename(path)].toSorted());
});

/** Updates the checksum at the end of a backup to its content. */
function reseal(backup: Buffer): void {
  const end = backup.length - 32;
  new Bun.CryptoHasher("sha256")
    .update(backup.subarray(0, end - 16))
    .digest()
    .copy(backup, end);
}

test("after a killed restore no server starts empty in its place, and the next restore succeeds", async () => {
  await using place = await openPlace();
  const admin = adminOf(place);
  const good = join(admin.home, "good.backup");
  await admin.must(dataOf(place), "backup", good);
  const there = join(place.folder, "there");
  mkdirSync(join(there, "handoff.db-restore"), { recursive: true, mode: 0o700 });
  writeFileSync(join(there, "handoff.db-restore/handoff.db"), "half of it", { mode: 0o600 });
  // A wrong folder must not lose its files.
  mkdirSync(join(there, "restore"));
  writeFileSync(join(there, "restore/theirs"), "");
  for (const args of [["serve"], ["admin", "team", "create", "x"]]) {
    const refused = await place.person("admin").run([...args, "--data-dir", there]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("Run 'handoff admin restore' again");
  }
  await admin.must(there, "restore", good);
  expect(await admin.must(there, "team", "list")).toContain("team");
  expect(readdirSync(there)).toEqual(expect.arrayContaining(["handoff.db", "restore"]));
  expect(readdirSync(there)).not.toContain("handoff.db-restore");
  expect(readdirSync(join(there, "restore"))).toEqual(["theirs"]);
});

test("a backup or restore without room names the disk, and leaves nothing there", async () => {
  await using place = await openPlace();
  const ann = await place.member("ann");
  await ann.must(["send"], { stdin: "x".repeat(3_000_000) });
  const admin = adminOf(place);
  using disk = mountTmpfs("1m");
  const full = disk.path;
  const refused = await admin.run(dataOf(place), "backup", full, "--with-secrets");
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain(`there is no room left on the file system of '${full}'. `);
  expect(refused.stderr).toEndWith(`run: df -h '${full}'\n`);
  expect(readdirSync(full)).toEqual([]);
  const good = join(admin.home, "good.backup");
  await admin.must(dataOf(place), "backup", good, "--with-secrets");
  const restored = await admin.run(join(full, "data"), "restore", good);
  expect(restored).toMatchObject({ exitCode: 1, stdout: "" });
  expect(restored.stderr).toContain("there is no room left on the file system of");
  expect(readdirSync(join(full, "data"))).not.toContain("handoff.db");
});

test("a backup that cannot be written or restored reports why, and leaves nothing behind", async () => {
  await using place = await openPlace();
  const admin = adminOf(place);
  const data = dataOf(place);
  const good = join(admin.home, "good.backup");
  await admin.must(data, "backup", good);
  const bytes = readFileSync(good);
  const file = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(admin.home, name), content);
    return join(admin.home, name);
  };
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, 4096 * 3, 4096 * 5);
  const newer = Buffer.from(bytes);
  newer.writeUInt32BE(9999, 60);
  reseal(newer);
  const flipped = Buffer.from(bytes);
  flipped[flipped.length - 5000] = (flipped[flipped.length - 5000] ?? 0) ^ 1;
  const closed = join(admin.home, "closed");
  mkdirSync(closed);
  const there = join(place.folder, "there");
  const cases: readonly (readonly [folder: string, args: readonly string[], exitCode: number, text: string])[] = [
    [data, ["backup", good], 1, `'${good}' already exists. Name another file.`],
    [data, ["backup", join(admin.home, "none/x")], 1, "there is no such file or directory"],
    [data, ["backup", join(admin.home, "none/")], 1, "Make it first."],
    [data, ["backup", join(admin.home, "x"), "--keep", "2"], 2, "--keep needs a directory"],
    [data, ["backup", closed, "--keep", "0"], 2, "--keep must be 1 or more."],
    [data, ["backup", "-", "--json"], 2, "--json can't be used with -"],
    [there, ["backup", join(admin.home, "x")], 2, "there is no database in"],
    [data, ["restore", good], 1, "another server runs on the data folder"],
    [there, ["restore", join(admin.home, "none")], 1, "there is no such file or directory. Nothing was restored."],
    [there, ["restore", closed], 1, "it's a directory. Nothing was restored."],
    [there, ["restore", file("text", "hello")], 1, "is no backup"],
    [there, ["restore", file("empty", "")], 1, "is no backup"],
    [there, ["restore", file("half", bytes.subarray(0, bytes.length / 2))], 1, "Nothing was restored"],
    [there, ["restore", file("damaged", damaged)], 1, "is damaged"],
    [there, ["restore", file("flipped", flipped)], 1, "is damaged (it isn't what was written). Nothing was restored"],
    [there, ["restore", file("newer", newer)], 1, "was written by a newer version"],
    [there, ["restore", join(data, "handoff.db")], 1, "is no backup"],
    [there, ["restore", good, "--keep-secrets"], 1, "has no ciphertexts"],
  ];
  const names = readdirSync(data).toSorted();
  for (const [folder, args, exitCode, text] of cases) {
    const outcome = await admin.run(folder, ...args);
    expect(outcome).toMatchObject({ exitCode, stdout: "" });
    expect(outcome.stderr).toContain(text);
  }
  expect(readdirSync(data).toSorted()).toEqual(names);
  expect(readdirSync(there)).toEqual([]);
  expect(readdirSync(admin.home, { recursive: true }).some((name) => name.includes("part"))).toBe(false);
  chmodSync(closed, 0o500);

  // A copy in the place of the database is recognized.
  mkdirSync(join(place.folder, "copied"), { mode: 0o700 });
  writeFileSync(join(place.folder, "copied/handoff.db"), bytes, { mode: 0o600 });
  const started = await place.person("admin").run(["serve", "--data-dir", join(place.folder, "copied")]);
  expect(started.exitCode).toBe(1);
  expect(started.stderr).toContain("is a backup. Nothing in it was changed. Move it out of the data folder");

  // An existing database is not replaced, whether or not a server runs on it.
  await place.server[Symbol.asyncDispose]();
  const refused = await admin.run(data, "restore", good);
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain("A backup is restored into an empty data folder");
});

test("a backup with secrets in a directory that others can write to is made with a warning", async () => {
  await using place = await openPlace();
  const admin = adminOf(place);
  const into = join(admin.home, "backups");
  mkdirSync(into);
  const backUp = async (...flags: readonly string[]) => {
    const { exitCode, stderr } = await admin.run(dataOf(place), "backup", into, ...flags);
    expect(exitCode).toBe(0);
    return stderr;
  };
  const warning = `Warning: others can write to '${into}', and so replace or delete this backup.`;
  chmodSync(into, 0o777);
  expect(await backUp("--with-secrets")).toContain(warning);
  expect(await backUp()).not.toContain("Warning");
  chmodSync(into, 0o755);
  expect(await backUp("--with-secrets")).not.toContain("Warning");
}, 30_000);
