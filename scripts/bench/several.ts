import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { urlOf } from "../../test/support/postgres-urls.ts";
import { startPostgres } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { mintKey, startServing } from "./executables.ts";
import type { ExecutableServer } from "./executables.ts";
import { runLoad } from "./loads.ts";
import type { Load } from "./loads.ts";
import { cpuSecondsOfFamily } from "./processes.ts";
import { createdId, createRequests, sealCiphertext } from "./requests.ts";
import type { Requests } from "./requests.ts";
import { nothingMeasured } from "./rounds.ts";
import type { Measured } from "./rounds.ts";
import { BOUND_NOTE, rateRow } from "./rows.ts";
import { median } from "./statistics.ts";
import { microseconds, rowTable } from "./tables.ts";
import type { Row } from "./tables.ts";

// `bun scripts/bench/several.ts`: one server and two servers on a PostgreSQL against one on SQLite, in turn. Takes about three minutes.

const CALLERS = [8, 64];
const WARM_UP_SECONDS = 5;
const ROUNDS = 5;
const ROUND_SECONDS = 2;

/** Servers that share what is stored. */
interface Subject {
  readonly name: "SQLite" | "one" | "two";
  readonly servers: readonly ExecutableServer[];
  readonly requests: Requests;
  readonly claimable: string[];
  /** The seconds that the database beside the servers has computed so far. */
  readonly databaseSeconds: () => number;
}

/** The measurements of one kind of request. */
interface SeveralMeasured extends Measured {
  /** The processor time of the database for each, in microseconds. */
  readonly databaseMicroseconds: number[];
}

interface Result {
  readonly creates: SeveralMeasured;
  readonly claims: SeveralMeasured;
}

/** The load on all servers of a subject at once, each with its share of the callers. */
async function load(
  { servers, databaseSeconds }: Subject,
  callers: number,
  options: Pick<Parameters<typeof runLoad>[0], "seconds" | "next" | "expectedStatus" | "onAnswer">,
): Promise<Load & { readonly databaseSeconds: number }> {
  const before = databaseSeconds();
  const connections = callers / servers.length;
  const loads = await Promise.all(servers.map(({ port, pid }) => runLoad({ ...options, port, pid, connections })));
  const [first] = loads;
  if (!first) throw new Error("there is no server");
  const sum = (figure: (each: Load) => number) => loads.reduce((total, each) => total + figure(each), 0);
  return {
    answers: sum(({ answers }) => answers),
    seconds: Math.max(...loads.map(({ seconds }) => seconds)),
    cpuSeconds: sum(({ cpuSeconds: each }) => each),
    // One generator, which all of them have looked at.
    generator: first.generator,
    latenciesMs: loads.flatMap(({ latenciesMs }) => [...latenciesMs]),
    databaseSeconds: databaseSeconds() - before,
  };
}

/** Creates for so many seconds, and then claims. */
async function measureOnce(subject: Subject, callers: number, seconds: number, result: Result): Promise<void> {
  const { requests, claimable } = subject;
  const create = { next: requests.create, expectedStatus: 201 } as const;
  const onAnswer: NonNullable<Parameters<typeof runLoad>[0]["onAnswer"]> = ({ head }) =>
    void claimable.push(createdId(head));
  note(result.creates, await load(subject, callers, { ...create, seconds, onAnswer }));
  const next = () => {
    const id = claimable.pop();
    return id === undefined ? undefined : requests.claim(id);
  };
  note(result.claims, await load(subject, callers, { next, seconds, expectedStatus: 200 }));
}

function note(measured: SeveralMeasured, loaded: Awaited<ReturnType<typeof load>>): void {
  const { answers, seconds, generator, latenciesMs } = loaded;
  measured.perSecond.push(answers / seconds);
  measured.cpuMicroseconds.push((loaded.cpuSeconds / answers) * 1e6);
  measured.databaseMicroseconds.push((loaded.databaseSeconds / answers) * 1e6);
  measured.generator.push(generator);
  for (const each of latenciesMs) measured.latenciesMs.push(each);
}

const newResult = (): Result => ({
  creates: { ...nothingMeasured(), databaseMicroseconds: [] },
  claims: { ...nothingMeasured(), databaseMicroseconds: [] },
});

async function measureCallers(subjects: readonly Subject[], callers: number): Promise<Row[]> {
  const results = { SQLite: newResult(), one: newResult(), two: newResult() };
  for (const subject of subjects) await measureOnce(subject, callers, WARM_UP_SECONDS, newResult());
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) await measureOnce(subject, callers, ROUND_SECONDS, results[subject.name]);
  }
  const { SQLite: sqlite, one, two } = results;
  return [
    rateRow(`${callers} callers: creates/s on PostgreSQL, against SQLite`, one.creates, sqlite.creates),
    rateRow(`${callers} callers: creates/s of two servers, against SQLite`, two.creates, sqlite.creates),
    rateRow(`${callers} callers: claims/s on PostgreSQL, against SQLite`, one.claims, sqlite.claims),
    rateRow(`${callers} callers: claims/s of two servers, against SQLite`, two.claims, sqlite.claims),
    timeRow(`${callers} callers: processor time of a create, server and PostgreSQL, against SQLite`, one, sqlite),
    timeRow(`${callers} callers: the same with two servers`, two, sqlite),
  ];
}

/** A row of the processor times of a create, on both sides. */
function timeRow(measure: string, { creates }: Result, { creates: baseline }: Result): Row {
  const [own, database] = [median(creates.cpuMicroseconds), median(creates.databaseMicroseconds)];
  const other = median(baseline.cpuMicroseconds);
  return {
    measure,
    value: `${microseconds(own)} + ${microseconds(database)}`,
    baseline: microseconds(other),
    ratio: ((own + database) / other).toFixed(2),
    aim: "",
  };
}

async function measureSeveral(): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack();
  const ciphertext = await sealCiphertext(1024);
  const cluster = cleanup.use(await startPostgres());
  const serve = async (where: readonly string[], count: number) => {
    const token = await mintKey(where);
    const servers = [];
    while (servers.length < count) servers.push(cleanup.use(await startServing(where, token)));
    return { servers, requests: createRequests(token, ciphertext), claimable: [] };
  };
  const postgres = async (count: number) => {
    const connection = await cluster.makeDatabase();
    const [pid = ""] = readFileSync(join(dirname(connection.path ?? ""), "postmaster.pid"), "utf8").split("\n");
    const databaseSeconds = () => cpuSecondsOfFamily(Number(pid));
    return { ...(await serve(["--database", urlOf(connection)], count)), databaseSeconds };
  };
  // On the disk that the database of PostgreSQL is on.
  const folder = cleanup.use(temporaryFolder());
  const sqlite = await serve(["--data-dir", join(folder.path, "data")], 1);
  const subjects: Subject[] = [
    { name: "SQLite", ...sqlite, databaseSeconds: () => 0 },
    { name: "one", ...(await postgres(1)) },
    { name: "two", ...(await postgres(2)) },
  ];
  const rows: Row[] = [];
  for (const callers of CALLERS) rows.push(...(await measureCallers(subjects, callers)));
  return rows;
}

console.log(`${rowTable(await measureSeveral())}\n\n${BOUND_NOTE}`);
process.exit(0);
