import type { Figures } from "./figures.ts";
import {
  addressOf,
  askOf,
  decisionFault,
  HOLDERS,
  isChosen,
  openingFault,
  proofFault,
  repetitionFault,
} from "./knowledge.ts";
import type { Ask, Claim, Decision, Known, Proof } from "./knowledge.ts";
import type { Chances } from "./random.ts";
import type { Answer, KilledService, Lost } from "./service.ts";

const WRONG_TRIES = 5;
const MAIL_SECONDS = 10;

/** What a run has, and what it has found. */
export interface Run {
  readonly service: KilledService;
  readonly figures: Figures;
  /** What must not have happened. */
  readonly faults: string[];
  /** Tokens of proofs and approvals of recent secrets, for use where they don't count. */
  readonly foreign: { readonly proofs: string[]; readonly approvals: string[] };
  /** Claims that were won, and those of which nobody knows, by secret. */
  readonly ends: Map<string, { readonly won: number; readonly unknown: number }>;
  addresses: number;
  readonly isOver: () => boolean;
}

/** Notes a fault, and prints it with the history of its secret. */
export function fault(run: Run, known: Known, text: string): void {
  const said = `FAULT (${run.service.engine}, seed ${known.seed}): ${known.id} ${text}`;
  process.stderr.write(`${said}\n${JSON.stringify(known)}\n`);
  run.faults.push(said);
}

/** Creates a secret with random terms, and these. */
export async function create(run: Run, chances: Chances, seed: number, terms: Partial<Known> = {}): Promise<Known> {
  const { service, figures } = run;
  const sender = chances.below(service.keys.length);
  const kind = chances.below(8);
  const approval: Known["approval"] = kind < 3 ? undefined : kind < 6 ? "sender" : "team";
  const isForChosen = kind % 2 === 0 || kind === 1;
  const chosen = chances.pick([
    ["*@example.com"],
    [newAddress(run, "Example.net"), "*@example.com"],
    ["Dan@example.org"],
  ]);
  const seconds = terms.expiresAt === undefined ? 3600 : 60;
  const asked = {
    approval,
    chosen: isForChosen ? chosen?.map((each) => each.toLowerCase()) : undefined,
    maxClaims: chances.pick([1, 1, 2, 3]) ?? 1,
    ...terms,
  };
  const query = new URLSearchParams({ max_claims: String(asked.maxClaims), expires_in: String(seconds) });
  if (asked.approval) query.set("approval", asked.approval);
  if (asked.chosen) query.set("for", asked.chosen.join(","));
  const ciphertext = `${seed}-`.padEnd(64 + chances.below(512), "x");
  const answer = await service.insist("POST", `/secrets?${query.toString()}`, {
    token: service.keys[sender] ?? "",
    key: crypto.randomUUID(),
    body: { envelope: { version: 1, ciphertext } },
  });
  if (answer.status !== 201) throw new Error(`a secret couldn't be created: ${JSON.stringify(answer)}`);
  figures.creates += 1;
  return {
    ...asked,
    seed,
    id: answer.body.id,
    token: answer.body.claim_token,
    ciphertext,
    sender,
    expiresAt: answer.ended + 1000 * seconds,
    proofs: [],
    asks: [],
    decisions: [],
    claims: [],
    revocations: [],
  };
}

/** An address that no code was sent to. */
export function newAddress(run: Run, domain: string): string {
  return `a${(run.addresses += 1)}@${domain}`;
}

const isLost = (answer: Answer | Lost): answer is Lost => answer.status === "lost";
const spanOf = ({ began, ended }: Answer | Lost) => ({ began, ended });

/** Begins the proof of an address with the link, and completes it unless `wrongs` wrong codes end it. */
export async function prove(run: Run, known: Known, address: string, wrongs: number): Promise<Proof | undefined> {
  const { service, figures } = run;
  const [path, { token }] = [`/secrets/${known.id}/proofs`, known];
  const begun = await service.call("POST", path, { token, body: { address, language: "en" } });
  if (isLost(begun) || begun.status !== 202) return undefined;
  const proof: Proof = { token: begun.body.proof_token, address, completions: [] };
  known.proofs.push(proof);
  const type = (code: string) =>
    service.call("POST", `${path}/code`, { token, body: { proof_token: proof.token, code } });
  const code = isChosen(known, address) ? await service.codeFor(address, MAIL_SECONDS) : "12345678";
  if (code === undefined) return undefined;
  let refused = 0;
  for (let tries = 0; tries < wrongs; tries++) {
    const answer = await type(code === "00000000" ? "00000001" : "00000000");
    if (answer.status === 200) fault(run, known, "took a wrong code");
    if (!isLost(answer) && answer.code === "code_invalid") refused += 1;
  }
  figures["wrong codes refused"] += refused;
  for (let tries = 0; tries < 3; tries++) {
    const completion = { began: performance.now(), ended: Infinity, isSure: false };
    if (isChosen(known, address)) proof.completions.push(completion);
    const answer = await type(code);
    completion.ended = answer.ended;
    if (isLost(answer)) continue;
    if (answer.status !== 200) {
      proof.completions.splice(proof.completions.indexOf(completion), 1);
      break;
    }
    completion.isSure = true;
    figures["codes typed"] += 1;
    if (!isChosen(known, address)) fault(run, known, `took a code of ${address}, to whom none was sent`);
    if (refused >= WRONG_TRIES) fault(run, known, `took the right code after ${refused} wrong ones`);
    run.foreign.proofs.push(proof.token);
    return proof;
  }
  return undefined;
}

/** Proves the address of a person by their key. */
export async function proveOwn(run: Run, known: Known, by: number): Promise<Proof | undefined> {
  const call = { token: run.service.keys[by] ?? "", body: { subject_id: known.id } };
  const answer = await run.service.call("POST", "/proofs", call);
  if (isLost(answer)) return undefined;
  const address = HOLDERS[by];
  if (answer.status !== 201) {
    if (address !== undefined) fault(run, known, `had no proof for ${address}: ${answer.code}`);
    return undefined;
  }
  if (address === undefined) return void fault(run, known, "had a proof of no person");
  const { proof_token: token } = answer.body;
  const proof = { token, address, completions: [{ ...spanOf(answer), isSure: true }] };
  known.proofs.push(proof);
  run.foreign.proofs.push(token);
  return proof;
}

/** Asks with the link, or a key by its number. Returns the ask, or the code of the refusal. */
export async function ask(
  run: Run,
  known: Known,
  by: number | undefined,
  proof: string | undefined,
): Promise<Ask | string | undefined> {
  const token = by === undefined ? known.token : (run.service.keys[by] ?? "");
  const answer = await run.service.call("POST", `/secrets/${known.id}/asks`, { token, proof });
  if (isLost(answer)) return undefined;
  if (answer.status !== 201) return answer.code;
  const wrong = proofFault(known, { by, proof }, answer);
  if (wrong !== undefined) fault(run, known, `let somebody ask ${wrong}`);
  run.figures.asks += 1;
  const own = by === undefined ? undefined : HOLDERS[by];
  const proven = own ?? known.proofs.find((each) => each.token === proof)?.address;
  const address = proven?.toLowerCase();
  const { id, approval_token: approvalToken } = answer.body;
  const isOfOther = known.asks.some((each) => each.id === id && each.address !== address);
  if (isOfOther) fault(run, known, "went on with an ask of another address");
  for (const earlier of known.asks) {
    if (earlier.id === id && earlier.span.ended < answer.began) {
      earlier.replacedAt = Math.min(earlier.replacedAt, answer.ended);
    }
  }
  const asked = { id, token: approvalToken, address, asker: by, span: spanOf(answer), replacedAt: Infinity };
  known.asks.push(asked);
  run.foreign.approvals.push(approvalToken);
  return asked;
}

/** Decides an ask by a key; `isCertain` makes the call again until it is answered. */
export async function decide(
  run: Run,
  known: Known,
  { askId, state, by }: Pick<Decision, "askId" | "state" | "by">,
  isCertain: boolean,
): Promise<boolean> {
  const { service, figures } = run;
  const decision: Decision = {
    askId,
    state,
    by,
    span: { began: performance.now(), ended: Infinity },
    isTaken: undefined,
  };
  known.decisions.push(decision);
  const call = { token: service.keys[by] ?? "", body: { id: askId, state } };
  const path = `/secrets/${known.id}/asks`;
  const first = await service.call("PATCH", path, call);
  const answer = isLost(first) && isCertain ? await service.insist("PATCH", path, call) : first;
  if (isLost(answer)) return false;
  decision.span.ended = answer.ended;
  if (answer.status === 200) {
    decision.isTaken = true;
    figures[state === "approved" ? "approvals" : "refusals"] += 1;
    const wrong = decisionFault(known, decision);
    if (wrong !== undefined) fault(run, known, `took a decision ${wrong}`);
    return true;
  }
  // Where an answer was lost, the first call may have been carried out.
  if (!isLost(first) || answer.code === "not_approver") decision.isTaken = false;
  figures["decisions refused"] += 1;
  return false;
}

/** Claims with these tokens, and claims again with the same key while the answer is lost, unless somebody gives up. */
export async function claim(
  run: Run,
  known: Known,
  { by, proof, approval }: Pick<Claim, "by" | "proof" | "approval">,
  isPatient: boolean,
): Promise<{ readonly claim: Claim; readonly code: string | undefined }> {
  const { service, figures } = run;
  const made: Claim = {
    by,
    proof,
    approval,
    key: crypto.randomUUID(),
    began: performance.now(),
    state: "unknown",
    wonAt: Infinity,
    acknowledgedAt: Infinity,
  };
  known.claims.push(made);
  const path = `/secrets/${known.id}/claim`;
  const call = { token: tokenOf(run, known, made), key: made.key, proof, approval };
  const first = await service.call("POST", path, call);
  if (isLost(first) && !isPatient) return { claim: made, code: undefined };
  const answer = isLost(first) ? await service.insist("POST", path, call) : first;
  if (answer.status !== 200) {
    // The end of a secret may be that of this claim too.
    const mayHaveWon = isLost(first) && !["proof_required", "approval_required"].includes(answer.code ?? "");
    if (!mayHaveWon) made.state = "refused";
    if (answer.code === "proof_required") figures["refused for a proof"] += 1;
    else if (answer.code === "approval_required") figures["refused for an approval"] += 1;
    else if (answer.status === 410) figures["refused after the end"] += 1;
    else fault(run, known, `answered a claim with ${JSON.stringify(answer.body)}`);
    return { claim: made, code: answer.code };
  }
  made.state = "won";
  made.wonAt = answer.ended;
  figures["claims won"] += 1;
  const span = { began: made.began, ended: answer.ended };
  const wrong = openingFault(known, made, span) ?? repetitionFault(known, made, span);
  if (wrong !== undefined) fault(run, known, `was opened ${wrong}`);
  if (answer.body.envelope.ciphertext !== known.ciphertext) fault(run, known, "has another ciphertext");
  return { claim: made, code: undefined };
}

const tokenOf = (run: Run, known: Known, { by }: Pick<Claim, "by">) =>
  by === undefined ? known.token : (run.service.keys[by] ?? "");

/** Repeats a claim that was won, without its tokens, as nobody needs them any more. */
export async function repeat(run: Run, known: Known, made: Claim): Promise<void> {
  const call = { token: tokenOf(run, known, made), key: made.key };
  const answer = await run.service.call("POST", `/secrets/${known.id}/claim`, call);
  if (answer.status !== 200) return;
  run.figures["claims repeated"] += 1;
  const wrong = repetitionFault(known, made, answer);
  if (wrong !== undefined) fault(run, known, `was opened again ${wrong}`);
}

export async function acknowledge(run: Run, known: Known, made: Claim): Promise<void> {
  const call = { token: tokenOf(run, known, made), key: made.key };
  const answer = await run.service.call("POST", `/secrets/${known.id}/acknowledgement`, call);
  if (answer.status !== 204) return;
  made.acknowledgedAt = Math.min(made.acknowledgedAt, answer.ended);
  run.figures.acknowledged += 1;
}

export async function revoke(run: Run, known: Known): Promise<void> {
  const revocation = { began: performance.now(), ended: Infinity, isTaken: undefined as boolean | undefined };
  known.revocations.push(revocation);
  const token = run.service.keys[known.sender] ?? "";
  const answer = await run.service.call("DELETE", `/secrets/${known.id}`, { token });
  if (isLost(answer)) return;
  revocation.ended = answer.ended;
  // One that was lost before may have done it.
  revocation.isTaken = answer.status === 200 && answer.body.state === "revoked";
  if (revocation.isTaken) run.figures.revoked += 1;
}

/** Checks the log of a secret that has ended: a line for each opening, and an approval before it where it needs one. */
export async function checkLog(run: Run, known: Known): Promise<void> {
  const token = run.service.keys[known.sender] ?? "";
  const { body } = await run.service.insist("GET", `/secrets/${known.id}/events`, { token });
  const events = body.data as { type: string; ask: { id: string } | null; actor: { address: string | null } | null }[];
  const won = known.claims.filter(({ state }) => state === "won");
  const unknown = known.claims.filter(({ state }) => state === "unknown");
  run.ends.set(known.id, { won: won.length, unknown: unknown.length });
  const opened = events.filter(({ type }) => type === "secret.claimed");
  if (opened.length < won.length || opened.length > won.length + unknown.length) {
    fault(run, known, `has ${opened.length} openings in the log after ${won.length} and perhaps ${unknown.length}`);
  }
  if (opened.length > known.maxClaims) fault(run, known, `has ${opened.length} openings in the log`);
  const addresses = opened.map(({ actor }) => actor?.address?.toLowerCase());
  for (const made of won) {
    const proven = addressOf(known, made);
    if (proven === undefined) continue;
    const at = addresses.indexOf(proven);
    if (at === -1) fault(run, known, `has no opening by ${proven} in the log`);
    else addresses.splice(at, 1);
  }
  const live = new Set<string>();
  let used = 0;
  for (const { type, ask: asked } of events) {
    if (type === "secret.approved" && asked) live.add(asked.id);
    if (type === "secret.refused" && asked) live.delete(asked.id);
    if (type !== "secret.claimed" || known.approval === undefined) continue;
    used += 1;
    if (used > live.size) fault(run, known, "was opened before an approval in the log");
  }
  for (const made of won) {
    const asked = askOf(known, made);
    if (known.approval !== undefined && !(asked && live.has(asked.id))) {
      fault(run, known, "was opened with an approval that isn't in the log");
    }
  }
}
