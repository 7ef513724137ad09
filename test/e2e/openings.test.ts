import { expect, test } from "bun:test";
import type { Run } from "../support/openings/acts.ts";
import { lineOf, newFigures } from "../support/openings/figures.ts";
import { live, liveLate } from "../support/openings/lives.ts";
import { createChances } from "../support/openings/random.ts";
import type { Chances } from "../support/openings/random.ts";
import { openKilledService } from "../support/openings/service.ts";
import type { Engine } from "../support/openings/service.ts";
import type { OneServer } from "../support/several-servers.ts";

/** How long servers are killed for: seconds, or as `scripts/models --kills` sets it. */
const SECONDS = Number(process.env["KILL_SECONDS"] ?? 4);
const IS_LONG = SECONDS >= 60;
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000_000);
const WORKERS = 16;
/** Those that wait until a token is over. */
const LATE_WORKERS = IS_LONG ? 12 : 0;
/** The longest pause before a kill: servers that die too often do little in between. */
const KILL_WITHIN_MS = IS_LONG ? 10_000 : 4000;
const TOLD_EVERY_MS = 60_000;
/** Lives and the checks at the end may take so long after the last kill, and longer with more in the log. */
const END_SECONDS = 600;

/** The errors in the log of a server, but not what a busy machine does to it, and what passes by itself. */
const errorsOf = (server: OneServer | undefined) =>
  (server?.running.stderr() ?? "")
    .split("\n")
    .filter((line) => line.includes('"level":"error"') && !/"trouble":"(disk_stalled|unreachable)"/.test(line));

/** Kills one server at a time, at random moments, and starts it again. All of them run at the end. */
async function kill({ service, figures, isOver }: Run, chances: Chances): Promise<void> {
  for (;;) {
    await Bun.sleep(300 + chances.below(KILL_WITHIN_MS));
    if (isOver() && figures.kills > 0) return;
    const server = chances.pick(service.servers);
    await server?.end("SIGKILL");
    figures.kills += 1;
    expect(errorsOf(server)).toEqual([]);
    await Bun.sleep(chances.below(500));
    await server?.start();
  }
}

/** Compares the whole log with what is known of all secrets. */
async function checkWholeLog({ service, ends, faults }: Run): Promise<void> {
  const opened = new Map<string, number>();
  const created = new Set<string>();
  for (let after = ""; ;) {
    const token = service.keys[0] ?? "";
    const { body } = await service.insist("GET", `/events?limit=100${after}`, { token });
    for (const { type, secret_id: id } of body.data as { type: string; secret_id: string }[]) {
      if (type === "secret.claimed") opened.set(id, (opened.get(id) ?? 0) + 1);
      if (type !== "secret.created") continue;
      if (created.has(id) || !ends.has(id)) faults.push(`${id} was created twice, or by nobody`);
      created.add(id);
    }
    if (body.data.length === 0) break;
    after = `&after=${body.data.at(-1).id}`;
  }
  for (const [id, { won, unknown }] of ends) {
    const count = opened.get(id) ?? 0;
    if (count < won || count > won + unknown || !created.has(id)) {
      faults.push(`${id} was opened ${count} times in the whole log, after ${won} and perhaps ${unknown}`);
    }
  }
}

test.concurrent.each<Engine>(["sqlite", "postgres"])(
  "while servers over %s are killed, nothing is opened without its proof and approval, and nobody is stuck",
  async (engine) => {
    await using service = await openKilledService(engine);
    const end = performance.now() + 1000 * SECONDS;
    const isOver = () => performance.now() > end;
    const run: Run = {
      service,
      figures: newFigures(),
      faults: [],
      foreign: { proofs: [], approvals: [] },
      ends: new Map(),
      addresses: 0,
      isOver,
    };
    let lives = 0;
    const work = async (life: typeof live) => {
      while (!isOver()) await life(run, SEED + lives++);
    };
    const tell = () => {
      run.figures["lost answers"] = service.lost();
      const line = `${engine}, seed ${SEED}: ${run.faults.length} faults, ${lineOf(run.figures)}\n`;
      if (IS_LONG) process.stderr.write(line);
    };
    const telling = setInterval(tell, TOLD_EVERY_MS);
    const working = Array.from({ length: WORKERS }, () => work(live));
    working.push(...Array.from({ length: LATE_WORKERS }, () => work(liveLate)));
    await Promise.all([kill(run, createChances(SEED)), ...working]).finally(() => clearInterval(telling));
    await checkWholeLog(run);
    const log = await service.checkEventLog();
    tell();
    expect(run.faults).toEqual([]);
    expect(log).toBe("ok");
    expect(run.figures.kills).toBeGreaterThan(0);
    expect(run.figures["claims won"]).toBeGreaterThan(0);
    expect(service.servers.flatMap(errorsOf)).toEqual([]);
  },
  1000 * (1.2 * SECONDS + END_SECONDS),
);
