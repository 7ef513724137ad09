import {
  acknowledge,
  ask,
  checkLog,
  claim,
  create,
  decide,
  fault,
  newAddress,
  prove,
  proveOwn,
  repeat,
  revoke,
} from "./acts.ts";
import type { Run } from "./acts.ts";
import { askOf, HOLDERS, isChosen, mayDecide } from "./knowledge.ts";
import type { Known } from "./knowledge.ts";
import { createChances } from "./random.ts";
import type { Chances } from "./random.ts";

/** How long it may take to open a secret by what it needs, while servers come and go. */
const BOUND_MS = 300_000;
const KEPT_FOREIGN = 50;
const OLD_MS = 603_000;
const EXPIRED_MS = 63_000;

/** One secret: several callers do at the same time what they may and may not, and then those who may open it. */
export async function live(run: Run, seed: number): Promise<void> {
  const chances = createChances(seed);
  const known = await create(run, chances, seed);
  const parties = Array.from({ length: 2 + chances.below(3) }, (_, party) =>
    takePart(run, known, createChances(seed * 31 + party)),
  );
  await Promise.all(parties);
  for (const each of [run.foreign.proofs, run.foreign.approvals]) each.splice(0, each.length - KEPT_FOREIGN);
  await settle(run, known, chances);
}

/** One caller, who has the link or a key, and does a few things in a random order. */
async function takePart(run: Run, known: Known, chances: Chances): Promise<void> {
  const keys = run.service.keys.length;
  const by = chances.happens(0.7) ? undefined : chances.below(keys);
  for (let acts = 3 + chances.below(6); acts > 0; acts--) {
    const act = chances.below(100);
    if (act < 18) await proveSomething(run, known, chances);
    else if (act < 34 && known.approval) await ask(run, known, by, anyProof(run, known, chances));
    else if (act < 64 && known.approval) await decideSomething(run, known, chances);
    else if (act < 90) await claimSomehow(run, known, chances, by);
    else if (act < 92) await revoke(run, known);
    else await afterwards(run, known, chances);
  }
}

async function proveSomething(run: Run, known: Known, chances: Chances): Promise<void> {
  if (!known.chosen || chances.happens(0.25))
    return void (await proveOwn(run, known, chances.below(run.service.keys.length)));
  const domain = chances.pick(["example.com", "example.com", "EXAMPLE.com", "sub.example.com", "example.org"]) ?? "";
  const named = known.chosen?.find((each) => !each.startsWith("*") && known.proofs.every((p) => p.address !== each));
  const address = named !== undefined && chances.happens(0.2) ? named : newAddress(run, domain);
  await prove(run, known, address, chances.pick([0, 0, 0, 1, 4, 5, 6]) ?? 0);
}

function anyProof(run: Run, known: Known, chances: Chances): string | undefined {
  const own = chances.pick(known.proofs)?.token;
  const act = chances.below(10);
  return act < 6 ? own : act < 8 ? chances.pick(run.foreign.proofs) : undefined;
}

async function decideSomething(run: Run, known: Known, chances: Chances): Promise<void> {
  const asked = chances.pick(known.asks);
  if (!asked) return;
  const state = chances.happens(0.6) ? "approved" : "refused";
  const all = run.service.keys.map((_, by) => by);
  const right = all.filter((by) => mayDecide(known, asked, by));
  const by = chances.pick(chances.happens(0.6) ? right : all) ?? 0;
  await decide(run, known, { askId: asked.id, state, by }, chances.happens(0.5));
}

async function claimSomehow(run: Run, known: Known, chances: Chances, by: number | undefined): Promise<void> {
  const approved = known.asks.filter((each) => known.decisions.some(({ askId }) => askId === each.id));
  const token = (chances.pick(chances.happens(0.6) ? approved : known.asks) ?? chances.pick(known.asks))?.token;
  const act = chances.below(10);
  const approval = act < 7 ? token : act < 9 ? chances.pick(run.foreign.approvals) : undefined;
  const tokens = { by, proof: anyProof(run, known, chances), approval };
  await claim(run, known, tokens, chances.happens(0.85));
}

async function afterwards(run: Run, known: Known, chances: Chances): Promise<void> {
  const won = chances.pick(known.claims.filter(({ state }) => state === "won"));
  if (!won) return;
  if (chances.happens(0.5)) await acknowledge(run, known, won);
  await repeat(run, known, won);
}

/** Opens a secret as often as it can be, by what it needs, and compares its end with what is known. */
async function settle(run: Run, known: Known, chances: Chances): Promise<void> {
  const latest = performance.now() + BOUND_MS;
  const token = run.service.keys[known.sender] ?? "";
  const find = async () => (await run.service.insist("GET", `/secrets/${known.id}`, { token })).body;
  let found = await find();
  for (; found.state === "available"; found = await find()) {
    if (performance.now() > latest) return fault(run, known, "can't be opened by those who may open it");
    const tokens = await getTokens(run, known);
    if (!tokens) continue;
    const key = chances.below(run.service.keys.length);
    const holder = HOLDERS[key];
    const mayClaim = holder === undefined || isChosen(known, holder) || tokens.approval !== undefined;
    const by = chances.happens(0.2) && mayClaim ? key : undefined;
    const { claim: made, code } = await claim(run, known, { by, ...tokens }, true);
    if (made.state === "refused" && !code?.startsWith("secret_")) {
      fault(run, known, `wasn't opened with all that it needs: ${code}`);
    }
    if (chances.happens(0.5)) await acknowledge(run, known, made);
    if (chances.happens(0.2)) await repeat(run, known, made);
  }
  const count = (of: string) => known.claims.filter(({ state }) => state === of).length;
  const [won, unknown] = [count("won"), count("unknown")];
  const isTold = found.claims >= won && found.claims <= Math.min(known.maxClaims, won + unknown);
  if (!isTold) fault(run, known, `says that it was opened ${found.claims} times, after ${won} and perhaps ${unknown}`);
  const isDue =
    found.state === "revoked"
      ? known.revocations.some(({ isTaken }) => isTaken !== false)
      : found.state === "claimed"
        ? found.claims === known.maxClaims
        : performance.now() > known.expiresAt - 5000;
  if (!isDue) fault(run, known, `is ${found.state} for no reason`);
  await claim(run, known, { by: undefined, proof: undefined, approval: undefined }, true);
  await checkLog(run, known);
}

/** Gets all that a claim of the holder of the link needs. Returns undefined where an answer was lost on the way. */
async function getTokens(
  run: Run,
  known: Known,
): Promise<{ proof: string | undefined; approval: string | undefined } | undefined> {
  const proof = known.chosen && (await proveAny(run, known, known.chosen));
  if (known.chosen && !proof) return undefined;
  if (!known.approval) return { proof: proof?.token, approval: undefined };
  const asked = await ask(run, known, undefined, proof?.token);
  if (asked === "rate_limited") await refuseOthers(run, known);
  if (asked === undefined || typeof asked === "string") return undefined;
  const by = run.service.keys.findIndex((_, key) => mayDecide(known, asked, key));
  // Dan, who is chosen alone, doesn't decide what he has asked for. Somebody revokes it then.
  if (by === -1) return void (await revoke(run, known));
  const isTaken = await decide(run, known, { askId: asked.id, state: "approved", by }, true);
  // An approved ask counts as the proof too.
  return isTaken ? { proof: undefined, approval: asked.token } : undefined;
}

async function proveAny(run: Run, known: Known, chosen: readonly string[]) {
  const person = HOLDERS.findIndex((each) => each !== undefined && chosen.includes(each));
  return person === -1 ? prove(run, known, newAddress(run, "example.com"), 0) : proveOwn(run, known, person);
}

/** Refuses all other asks, of known people or not, so that there is room for one. */
async function refuseOthers(run: Run, known: Known): Promise<void> {
  const deciders = run.service.keys.map((_, by) => by);
  for (const asked of known.asks) {
    const { id } = asked;
    const by = deciders.find((each) => mayDecide(known, asked, each)) ?? 0;
    if (known.claims.every((each) => askOf(known, each)?.id !== id || each.state !== "won")) {
      await decide(run, known, { askId: id, state: "refused", by }, true);
    }
  }
  for (const by of deciders) {
    const token = run.service.keys[by] ?? "";
    const { body } = await run.service.insist("GET", "/asks", { token });
    for (const each of body.data as { id: string; secret_id: string }[]) {
      if (each.secret_id !== known.id) continue;
      const decision = { id: each.id, state: "refused" };
      await run.service.insist("PATCH", `/secrets/${known.id}/asks`, { token, body: decision });
    }
  }
}

/** One secret of which the proof, the approval or the secret itself is over when it is claimed. */
export async function liveLate(run: Run, seed: number): Promise<void> {
  const chances = createChances(seed);
  const isSecretOver = chances.happens(0.3);
  const expiry = isSecretOver ? { expiresAt: 0 } : {};
  const needs = chances.pick([{ approval: "sender" }, { approval: "team" }, { chosen: ["*@example.com"] }] as const);
  const known = await create(run, chances, seed, { ...needs, ...expiry });
  const tokens = await getTokens(run, known);
  const until = performance.now() + (isSecretOver ? EXPIRED_MS : OLD_MS);
  while (!run.isOver() && performance.now() < until) await Bun.sleep(500);
  if (performance.now() < until || !tokens) return settle(run, known, chances);
  const { claim: made } = await claim(run, known, { by: undefined, ...tokens }, true);
  if (made.state === "refused") run.figures["tokens too old"] += 1;
  await settle(run, known, chances);
}
