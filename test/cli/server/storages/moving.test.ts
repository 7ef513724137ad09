import { afterAll, afterEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { run } from "../../../../src/cli/run.ts";
import { connectTo } from "../../../../src/store/postgres/engine/database.ts";
import type { ConnectionOptions } from "../../../../src/store/postgres/engine/database.ts";
import { emptyTables, TABLES } from "../../../../src/store/postgres/engine/tables.ts";
import { killHeldUp, untilHeldUp } from "../../../support/held-up.ts";
import { urlOf } from "../../../support/postgres-urls.ts";
import { openOver, startPostgres } from "../../../support/postgres.ts";
import { runProgram, startProgramHere } from "../../../support/program.ts";
import { sharedPostgres } from "../../../support/shared-postgres.ts";
import { temporaryFolder } from "../../../support/temporary.ts";
import { createTestTerminal, runHere } from "../../../support/terminals.ts";
import { createTestClock } from "../../../support/test-clocks.ts";

const cluster = await sharedPostgres();
afterAll(() => cluster[Symbol.asyncDispose]());

// Admin commands make their files for their user alone.
const umask = process.umask();
afterEach(() => void process.umask(umask));

interface Ready extends Disposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly connection: ConnectionOptions;
  readonly url: string;
  /** Runs `handoff admin …` over the data folder. */
  readonly admin: (line: string) => ReturnType<typeof runHere>;
}

/** A data folder with a team and a key in it, and an empty database. */
async function prepare(from = cluster): Promise<Ready> {
  const place = temporaryFolder();
  const folder = join(place.path, "data");
  const connection = await from.makeDatabase();
  const env = { HANDOFF_DATA_DIR: folder, HOME: "/nonexistent" };
  const admin = (line: string) => runHere(["admin", ...line.split(" ")], env);
  expect(await admin("team create ops")).toMatchObject({ exitCode: 0 });
  expect(await admin("key create --team ops --identity ci --scope secrets:read")).toMatchObject({ exitCode: 0 });
  return { folder, env, connection, url: urlOf(connection), admin, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

/** Runs an idle server's store on the database of `ready`. */
async function serveOn({ connection }: Ready): Promise<AsyncDisposable> {
  const { store } = await openOver(connection, createTestClock());
  await store.sweep(1);
  return { [Symbol.asyncDispose]: () => store.close() };
}

/** The tables of the database of `ready` that have rows. */
async function filledTablesOf(ready: Ready): Promise<string[]> {
  await using database = besideOf(ready);
  const filled: string[] = [];
  for (const name of TABLES) {
    const [row] = await database.unsafe(`SELECT EXISTS (SELECT FROM ${name}) AS has_rows`);
    if (row.has_rows) filled.push(name);
  }
  return filled;
}

/** Connections to the database of `ready` that hold the command up. */
function besideOf({ connection }: Ready): SQL {
  return new SQL({ ...connection, adapter: "postgres", max: 2 });
}

test("one command moves everything to PostgreSQL, and says how to switch", async () => {
  using ready = await prepare();
  const { folder, url, admin } = ready;
  const keys = await admin("key list --json");
  expect(await admin(`move --to ${url} --yes`)).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: [
      `Moved everything to '${url}', and compared it: teams 1, identities 1, keys 1, secrets 0, requests 0.`,
      "To switch, give the server that URL: as HANDOFF_DATABASE_URL, or in a file, with --database-url-file.",
      `When it works, delete the old data folder. Ciphertexts stay in it, also of what is opened from now on: '${folder}'`,
      "",
    ].join("\n"),
  });
  expect(await admin(`key list --json --database ${url}`)).toEqual(keys);
  const { stdout } = await admin(`log --json --database ${url}`);
  const actions = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).action);
  expect(actions.at(-1)).toBe("database.moved");
});

test("a move prints JSON when asked, and with --quiet nothing", async () => {
  using first = await prepare();
  using second = await prepare();
  const counts = { teams: 1, identities: 1, keys: 1, secrets: 0, requests: 0 };
  const large = { large_secrets: 0, large_bytes: 0 };
  const { stdout, ...rest } = await first.admin(`move --to ${first.url} --yes --json`);
  expect(rest).toEqual({ exitCode: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({ data_dir: first.folder, database: first.url, ...counts, ...large });
  expect(await second.admin(`move --to ${second.url} --yes --quiet`)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

test("a move that is run again prints the same JSON, also while a server runs", async () => {
  using ready = await prepare();
  const { url, admin } = ready;
  const moved = await admin(`move --to ${url} --yes --json`);
  await using _ = await serveOn(ready);
  expect(await admin(`move --to ${url} --yes --json`)).toEqual(moved);
});

test("a URL with a password is only taken from a file, and printed without the password", async () => {
  using ready = await prepare();
  const { folder, url, admin } = ready;
  const withPassword = url.replace("//handoff@", "//handoff:fake-local-test-only@");
  const refused = await admin(`move --to ${withPassword} --yes`);
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain("everybody on this machine can see the arguments");
  expect(await admin(`move --yes`)).toMatchObject({ exitCode: 2 });
  expect((await admin(`move --to-file ${folder}/none --yes`)).stderr).toContain(
    `Can't read the URL of the database in '${folder}/none': there is no such file.`,
  );
  const both = await admin(`move --to ${url} --to-file ${folder}/url --yes`);
  expect(both.stderr).toContain("--to and --to-file both name the database to move to: give one of them");
  const misplaced = await admin(`move --to-file ${withPassword} --yes`);
  expect(misplaced.stderr).toContain("--to-file: expected the path of a file with the URL in it");
  expect(misplaced.stderr).not.toContain("fake-local-test-only");
  writeFileSync(join(folder, "url"), `${withPassword}\n`, { mode: 0o600 });
  const moved = await admin(`move --to-file ${folder}/url --yes`);
  expect(moved).toMatchObject({ exitCode: 0 });
  expect(refused.stderr + moved.stderr).not.toContain("fake-local-test-only");
});

test("a move asks for confirmation at a terminal, and needs --yes without one", async () => {
  using ready = await prepare();
  const { env, folder, url, admin } = ready;
  const terminal = createTestTerminal({ env, answers: ["n"], isTerminal: { in: true } });
  expect(await run(["admin", "move", "--to", url], terminal)).toBe(1);
  expect(terminal.asked).toEqual([
    `Move everything from '${folder}' to '${url}'? No server starts on that folder then. [y/N] `,
  ]);
  expect(await admin(`move --to ${url}`)).toMatchObject({ exitCode: 2 });
  expect(await admin("team list")).toMatchObject({ exitCode: 0 });
});

test("a refused move says why in a sentence, and leaves the folder as it was", async () => {
  using ready = await prepare();
  const { url, admin } = ready;
  const gone = url.replace(/\/[^/]*$/, "/gone");
  const missing = await admin(`move --to ${gone} --yes`);
  expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
  expect(missing.stderr).toContain(`'${gone}': there is no database of this name`);
  const nowhere = await admin("move --to postgresql://handoff@%2Fnonexistent/x --yes");
  expect(nowhere.stderr).toContain("PostgreSQL can't be reached");
  expect((await admin("move --to mysql://x --yes")).stderr).toContain("expected one such as postgresql://");
  expect((await admin(`move --to ${url} --yes --data-dir /nonexistent`)).stderr).toContain("there is no database in");
  expect(await admin(`team create other --database ${url}`)).toMatchObject({ exitCode: 0 });
  expect((await admin(`move --to ${url} --yes`)).stderr).toContain(`'${url}': the database is not empty`);
  expect(await admin("team list")).toMatchObject({ exitCode: 0 });
});

test("commands and the server name the database that everything was moved to", async () => {
  using ready = await prepare();
  const { env, folder, url, admin } = ready;
  await admin(`move --to ${url} --yes`);
  const moved = `what was in '${folder}/handoff.db' was moved to '${url}'`;
  const lines = [
    "team list",
    "key list",
    "team create other",
    "log",
    "stats",
    `backup ${folder}/x.backup`,
    "webhook list",
  ];
  for (const line of lines) {
    const { exitCode, stdout, stderr } = await admin(line);
    expect({ line, exitCode, stdout, said: stderr.includes(moved.slice(1)) }).toEqual({
      line,
      exitCode: 1,
      stdout: "",
      said: true,
    });
  }
  const checked = await admin("check --base-url http://127.0.0.1:9 --json");
  expect(checked.exitCode).toBe(1);
  expect(checked.stdout).toContain(moved.slice(1));
  const served = await runProgram(["serve", "--listen", "127.0.0.1:0"], env);
  expect(served.exitCode).toBe(1);
  expect(served.stderr).toContain(moved);
  const restored = await runHere(["admin", "restore", "-"], env, "x");
  expect(restored.exitCode).toBe(1);
});

/** Starts the move of `ready` in a process of its own, and kills it where `hold` holds it up. */
const killMove = ({ env, url }: Ready, beside: SQL, hold: string) =>
  killHeldUp(beside, hold, ["admin", "move", "--to", url, "--yes"], env);

test("undoing a move to a database that wasn't used empties that, and another move can be made", async () => {
  using ready = await prepare();
  const { env, folder, url, admin } = ready;
  expect((await admin("move --undo --yes")).stderr).toContain("nothing was moved from");
  expect((await admin(`move --force --yes --to ${url}`)).stderr).toContain("--force goes with --undo alone");
  await admin(`move --to ${url} --yes`);
  // A server that nobody asks for anything changes nothing.
  const server = await serveOn(ready);
  await server[Symbol.asyncDispose]();
  const terminal = createTestTerminal({ env, answers: ["y"], isTerminal: { in: true } });
  expect(await run(["admin", "move", "--undo"], terminal)).toBe(0);
  expect(terminal.asked).toEqual([
    `Let servers start on '${folder}' again? '${url}' wasn't used since everything was moved there, and will be emptied but for its admin log. [y/N] `,
  ]);
  expect(terminal.said).toEqual([
    `Servers start on '${folder}' again. '${url}' has nothing but its admin log any more.`,
  ]);
  expect((await admin("log")).stdout).toContain("database.move_undone");
  expect(await filledTablesOf(ready)).toEqual(["admin_log", "clocks", "halves", "installations"]);
  expect((await admin(`log --database ${url}`)).stdout).toContain("database.move_undone");
  expect((await admin(`move --to ${url} --yes`)).stderr).toContain("the database is not empty");
  const other = urlOf(await cluster.makeDatabase());
  expect(await admin(`move --to ${other} --yes`)).toMatchObject({ exitCode: 0 });
});

test("a move whose undoing was killed halfway doesn't count as complete, and can be undone", async () => {
  using ready = await prepare();
  const { connection, url, admin } = ready;
  await admin(`move --to ${url} --yes`);
  const database = connectTo({ ...connection, max: 1 });
  {
    using held = await database.hold();
    await emptyTables(held);
    await held.run(
      `INSERT INTO admin_log (at, "user", action, details) VALUES (1, 'root', 'database.move_undone', '{}')`,
    );
  }
  await database.close();
  const again = await admin(`move --to ${url} --yes`);
  expect(again).toMatchObject({ exitCode: 1, stdout: "" });
  expect(again.stderr).toContain("the database is not empty: handoff has, or had, teams in it. Nothing was changed.");
  expect(await admin("move --undo --yes")).toMatchObject({ exitCode: 0 });
  expect((await admin("team list")).stdout).toContain("ops");
});

test("a move isn't undone by a user of the database who may not empty it", async () => {
  using ready = await prepare();
  const { url, admin } = ready;
  await admin(`move --to ${url} --yes`);
  await using beside = besideOf(ready);
  await beside
    .unsafe("CREATE ROLE undoing LOGIN; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO undoing")
    .simple();
  const refused = await admin(`move --undo --yes --to ${url.replace("//handoff@", "//undoing@")}`);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("the user in the URL may not do that (PostgreSQL says: permission denied for table");
  await beside.unsafe("DROP OWNED BY undoing; DROP ROLE undoing").simple();
  expect((await admin("team list")).stderr).toContain("was moved to");
  expect((await admin(`team list --database ${url}`)).stdout).toContain("ops");
});

test("a move can't be undone while a server runs on the database, and needs --force once it was used", async () => {
  using ready = await prepare();
  const { folder, url, admin } = ready;
  await admin(`move --to ${url} --yes`);
  const server = await serveOn(ready);
  for (const flags of ["--yes", "--yes --force"]) {
    const refused = await admin(`move --undo ${flags}`);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("a server runs on the database, and nothing was changed");
  }
  await server[Symbol.asyncDispose]();
  expect(await admin(`key create --team ops --identity cd --scope secrets:read --database ${url}`)).toMatchObject({
    exitCode: 0,
  });
  const used = await admin("move --undo --yes");
  expect(used).toMatchObject({ exitCode: 1, stdout: "" });
  expect(used.stderr).toContain(`'${url}' was used since everything was moved there. Nothing was changed.`);
  expect(used.stderr).toContain("add --force: what was opened there since the move can be opened again");
  expect((await admin("team list")).exitCode).toBe(1);
  const { exitCode, stdout, stderr } = await admin("move --undo --yes --force --json");
  expect({ exitCode, printed: JSON.parse(stdout) }).toEqual({
    exitCode: 0,
    printed: { data_dir: folder, database: url },
  });
  expect(stderr).toBe(
    "Warning: what was opened there since the move can be opened again, and what was sent there is missing.\n",
  );
  expect((await admin("team list")).exitCode).toBe(0);
}, 30_000);

test("a move whose database can't be examined is undone with --force alone, and with a warning", async () => {
  await using own = await startPostgres();
  using ready = await prepare(own);
  const { env, folder, url, connection, admin } = ready;
  const missing = "what was opened there since the move can be opened again, and what was sent there is missing";
  const ask = async (...flags: string[]) => {
    const terminal = createTestTerminal({ env, answers: ["n"], isTerminal: { in: true } });
    expect(await run(["admin", "move", "--undo", ...flags], terminal)).toBe(1);
    return terminal.asked;
  };
  await admin(`move --to ${url} --yes`);
  await own.run(`ALTER DATABASE ${connection.database} ALLOW_CONNECTIONS false`);
  const refused = await admin("move --undo --yes");
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toContain("name a file with that URL with --to-file. Nothing was changed.");
  await own.run(`ALTER DATABASE ${connection.database} ALLOW_CONNECTIONS true`);
  const elsewhere = urlOf(await own.makeDatabase());
  expect((await admin(`move --undo --to ${elsewhere} --yes`)).stderr).toContain(
    `Everything was moved to '${url}', and not to '${elsewhere}'. Nothing was changed.`,
  );
  // Another one of the same name, which has nothing in it, and then something.
  await own.run(`DROP DATABASE ${connection.database} WITH (FORCE)`);
  expect(await ask("--force")).toEqual([
    `Let servers start on '${folder}' again? '${url}' can't be reached: ${missing}. [y/N] `,
  ]);
  await own.run(`CREATE DATABASE ${connection.database}`);
  expect(await ask()).toEqual([
    `Let servers start on '${folder}' again? '${url}' has nothing in it: ${missing}. [y/N] `,
  ]);
  await admin(`team create ops --database ${url}`);
  expect((await admin("move --undo --yes")).stderr).toContain(
    `In '${url}' there is another database than the one that everything was moved to. Nothing was changed.`,
  );
  await own.crash();
  const away = await admin("move --undo --yes");
  expect(away).toMatchObject({ exitCode: 1, stdout: "" });
  expect(away.stderr).toContain(
    `'${url}' can't be reached, so whether it was used can't be told. Nothing was changed.`,
  );
  expect(await admin("move --undo --yes --force --quiet")).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: `Warning: ${missing}.\n`,
  });
  expect((await admin("team list")).exitCode).toBe(0);
}, 30_000);

test("a move that is killed while it copies leaves nothing, and can be run again", async () => {
  using ready = await prepare();
  const { connection, url, admin } = ready;
  await openOver(connection, createTestClock()).then(({ store }) => store.close());
  await using beside = besideOf(ready);
  await killMove(ready, beside, "LOCK TABLE person_tokens");
  expect(await admin("team list")).toMatchObject({ exitCode: 0 });
  expect((await admin(`team list --database ${url}`)).stdout).not.toContain("ops");
  expect(await admin(`move --to ${url} --yes`)).toMatchObject({ exitCode: 0 });
});

test("a move that is killed during its commit is complete once PostgreSQL has committed", async () => {
  using ready = await prepare();
  const { connection, url, admin } = ready;
  await openOver(connection, createTestClock()).then(({ store }) => store.close());
  await using beside = besideOf(ready);
  await holdUpCommits(beside);
  await killMove(ready, beside, "SELECT pg_advisory_xact_lock(1)");
  expect((await admin("team list")).stderr).toContain("If the move did not come to its end, run it again");
  const again = await admin(`move --to ${url} --yes`);
  expect(again).toMatchObject({ exitCode: 0, stdout: "" });
  expect(again.stderr).toStartWith(`Everything has arrived in '${url}' already: teams 1, identities 1, keys 1,`);
  expect((await admin(`team list --database ${url}`)).stdout).toContain("ops");
});

test("a move can be run again after PostgreSQL crashed during its commit", async () => {
  await using own = await startPostgres();
  using ready = await prepare(own);
  const { connection, env, url, admin } = ready;
  await openOver(connection, createTestClock()).then(({ store }) => store.close());
  const beside = besideOf(ready);
  await holdUpCommits(beside);
  const blocking = await beside.reserve();
  await blocking.unsafe("BEGIN");
  await blocking.unsafe("SELECT pg_advisory_xact_lock(1)");
  const moving = startProgramHere(["admin", "move", "--to", url, "--yes"], env);
  await untilHeldUp(beside);
  await own.crash();
  await beside.close({ timeout: 0 }).catch(() => undefined);
  expect(await moving.exited).toBe(1);
  expect(await moving.stderr.text()).toContain("is not known, and no server starts");
  await own.start();
  expect((await admin("team list")).stderr).toContain("was moved to");
  expect(await admin(`move --to ${url} --yes`)).toMatchObject({ exitCode: 0 });
  expect((await admin(`team list --database ${url}`)).stdout).toContain("ops");
});

/** Makes every COMMIT that writes into the admin log wait for the advisory lock 1. */
async function holdUpCommits(beside: SQL): Promise<void> {
  await beside.unsafe(
    "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$",
  );
  await beside.unsafe(
    "CREATE CONSTRAINT TRIGGER waiting AFTER INSERT ON admin_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()",
  );
}
