import { expect, test } from "bun:test";
import { apiOf, jsonOf, mintKey, UNLIMITED } from "../support/executions.ts";
import { startProgram } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary.ts";

const MIN_ROUNDS = 6;
/** Secrets, and claims: a slow machine takes more rounds to reach these numbers. */
const MIN_KNOWN = 100;
const WORKERS = 16;

/** The facts that clients know for certain, from answers. */
interface Knowledge {
  /** Ciphertexts by id: created, and never claimed. */
  readonly created: Map<string, string>;
  /** Claimed, and the ciphertext arrived. */
  readonly claimed: Set<string>;
  /** A claim was sent and not answered: only the database knows the outcome. */
  readonly unknown: Set<string>;
}

const start = (folder: string) =>
  startProgram(["serve", "--listen", "127.0.0.1:0", "--data-dir", folder, "--log-level", "info", ...UNLIMITED]);

type Api = ReturnType<typeof apiOf>;

/** Creates and claims until the server is gone. */
async function work(api: Api, known: Knowledge, name: string): Promise<void> {
  for (let n = 0; ; n++) {
    const ciphertext = `${name}-${n}-`.padEnd(1000, "x");
    const answer = await api.create(ciphertext);
    expect(answer.status).toBe(201);
    known.created.set((await jsonOf(answer)).id, ciphertext);
    if (n % 2 === 1) await claimOne(api, known);
  }
}

async function claimOne(api: Api, known: Knowledge): Promise<void> {
  const [first] = known.created;
  if (!first) return;
  const [id, ciphertext] = first;
  known.created.delete(id);
  known.unknown.add(id);
  const answer = await api.claim(id);
  expect(answer.status).toBe(200);
  expect((await jsonOf(answer)).envelope.ciphertext === ciphertext).toBe(true);
  known.unknown.delete(id);
  known.claimed.add(id);
}

/** Works on the server until it is killed, and resolves when all clients have noticed. */
async function workUntilKilled(folder: string, token: string, known: Knowledge, round: number): Promise<void> {
  await using server = await start(folder);
  const api = apiOf(server.url, token);
  const failures: unknown[] = [];
  const workers = Array.from({ length: WORKERS }, (_, worker) =>
    work(api, known, `${round}-${worker}`).catch((error: unknown) => failures.push(error)),
  );
  await Bun.sleep(300 + Math.random() * 400);
  server.kill("SIGKILL");
  await server.exited;
  await Promise.all(workers);
  // Connections broke, and no answer was wrong.
  expect(failures.filter((error) => error instanceof Error && error.message.includes("expect("))).toEqual([]);
}

/** Reads every secret, several at a time. */
async function forEachAtOnce(ids: Iterable<string>, act: (id: string) => Promise<void>): Promise<void> {
  const queue = [...ids];
  const worker = async () => {
    for (let id = queue.pop(); id !== undefined; id = queue.pop()) await act(id);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

test("after kill -9 under load every acknowledged secret exists, and acknowledged claims stay claimed", async () => {
  using folder = temporaryFolder();
  const token = await mintKey(folder.path);
  const known: Knowledge = { created: new Map(), claimed: new Set(), unknown: new Set() };
  const isEnough = () => known.created.size > MIN_KNOWN && known.claimed.size > MIN_KNOWN;
  for (let round = 0; round < MIN_ROUNDS || !isEnough(); round++) {
    await workUntilKilled(folder.path, token, known, round);
  }

  await using server = await start(folder.path);
  const api = apiOf(server.url, token);
  await forEachAtOnce(known.created.keys(), async (id) => {
    const answer = await api.claim(id);
    expect(answer.status).toBe(200);
    expect((await jsonOf(answer)).envelope.ciphertext === known.created.get(id)).toBe(true);
  });
  await forEachAtOnce(known.claimed, async (id) => {
    expect(await jsonOf(api.find(id))).toMatchObject({ state: "claimed", claims: 1 });
    expect((await api.claim(id)).status).toBe(410);
  });
  await forEachAtOnce(known.unknown, async (id) => {
    expect([200, 410]).toContain((await api.claim(id)).status);
    expect((await api.claim(id)).status).toBe(410);
  });
}, 60_000);
