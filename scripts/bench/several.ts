import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { urlOf } from "../../test/support/postgres-urls.ts";
import { startPostgres } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { mintKey, startServing } from "./executables.ts";
import { cpuSecondsOfFamily } from "./processes.ts";
import { createRequests, sealCiphertext } from "./requests.ts";
import { measureRounds, shuffle } from "./rounds.ts";
import type { Subject } from "./rounds.ts";
import { BOUND_NOTE, cpuRow, latencyRow, rateRow } from "./rows.ts";
import { rowTable } from "./tables.ts";
import type { Row } from "./tables.ts";

// `bun scripts/bench/several.ts`: one and two servers on a PostgreSQL against one on SQLite. Takes about six minutes.
// Claims are in random order.

const CALLERS = [1, 8, 64];
const ROUNDS = { rounds: 5, seconds: 2 };

async function measureCallers(subjects: readonly Subject[], connections: number): Promise<Row[]> {
  // A single caller has one server.
  const measured = subjects.filter(({ servers }) => servers.length <= connections);
  const results = await measureRounds(measured, { ...ROUNDS, connections });
  const [sqlite, one, two] = subjects.map(({ name }) => results.get(name));
  if (!sqlite || !one) throw new Error("nothing was measured");
  const row = (what: string) => `${connections === 1 ? "1 caller" : `${connections} callers`}: ${what}`;
  const rows = [
    rateRow(row("creates/s on PostgreSQL, against SQLite"), one.creates, sqlite.creates),
    rateRow(row("claims/s on PostgreSQL, against SQLite"), one.claims, sqlite.claims),
    rateRow(row("claims/s against creates/s, on PostgreSQL"), one.claims, one.creates, 0.9),
    rateRow(row("claims/s against creates/s, on SQLite"), sqlite.claims, sqlite.creates, 0.9),
    latencyRow(row("create p50 on PostgreSQL, against SQLite"), one.creates, sqlite.creates, 0.5),
    latencyRow(row("claim p50 on PostgreSQL, against SQLite"), one.claims, sqlite.claims, 0.5),
    cpuRow(row("processor time of a create, server and PostgreSQL, against SQLite"), one.creates, sqlite.creates),
  ];
  if (!two) return rows;
  return [
    ...rows,
    rateRow(row("creates/s of two servers, against one on PostgreSQL"), two.creates, one.creates),
    rateRow(row("claims/s of two servers, against one on PostgreSQL"), two.claims, one.claims),
    cpuRow(row("processor time of a create with two servers, against one"), two.creates, one.creates),
  ];
}

await using cleanup = new AsyncDisposableStack();
const ciphertext = await sealCiphertext(1024);
const cluster = cleanup.use(await startPostgres());
const serve = async (name: string, where: readonly string[], count: number): Promise<Subject> => {
  const token = await mintKey(where);
  const servers = [];
  while (servers.length < count) servers.push(cleanup.use(await startServing(where, token)));
  return { name, servers, requests: createRequests(token, ciphertext), claimable: [], arrange: shuffle };
};
const servePostgres = async (name: string, count: number): Promise<Subject> => {
  const connection = await cluster.makeDatabase();
  const [pid = ""] = readFileSync(join(dirname(connection.path ?? ""), "postmaster.pid"), "utf8").split("\n");
  const moreCpuSeconds = () => cpuSecondsOfFamily(Number(pid));
  return { ...(await serve(name, ["--database", urlOf(connection)], count)), moreCpuSeconds };
};
// On the same disk as the database of PostgreSQL.
const folder = cleanup.use(temporaryFolder());
const subjects = [
  await serve("SQLite", ["--data-dir", join(folder.path, "data")], 1),
  await servePostgres("one", 1),
  await servePostgres("two", 2),
];
const rows: Row[] = [];
for (const callers of CALLERS) rows.push(...(await measureCallers(subjects, callers)));
console.log(`${rowTable(rows)}\n\n${BOUND_NOTE}`);
await cleanup.disposeAsync();
process.exit(0);
