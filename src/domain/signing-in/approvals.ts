import type { DecideAskBody } from "../../contract/secrets.ts";
import { findProvenAddress } from "../addressees.ts";
import { actorOf, addressOf, networkOf } from "../callers.ts";
import type { Caller } from "../callers.ts";
import type { ProofStore } from "../ports/proofs.ts";
import type { AskRecord, Decider, SecretRecord, SecretStore } from "../ports/secrets.ts";
import type { Clock, Ids, Random } from "../ports/sources.ts";
import type { ServerPolicy } from "../server-policies.ts";
import { asksAt, findAsk, mayDecide } from "../values/approvals.ts";
import { Refusal } from "../values/errors.ts";
import { createToken, hashToken } from "../values/tokens.ts";
import type { Waits } from "../waits.ts";

const WORDS = 3;

interface AskDeps {
  readonly store: SecretStore & Pick<ProofStore, "findProof">;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly policy: ServerPolicy;
  readonly waits: Waits;
}

/** An ask, and the secret that it is about. */
export interface PendingAsk {
  readonly secret: SecretRecord;
  readonly ask: AskRecord;
}

/**
 * Asks for the approval of a claim by the caller, and returns the ask with its token. Throws a Refusal: `not_found`,
 * also where nobody has to approve, `proof_required`, `team_quota_exceeded`, `rate_limited` when five wait, or the code
 * of the secret's end.
 */
export async function askApproval(
  deps: AskDeps,
  caller: Caller,
  { id, proofToken }: { readonly id: string; readonly proofToken: string | undefined },
): Promise<{ readonly ask: AskRecord; readonly token: string }> {
  const { store, clock, random, ids, policy } = deps;
  const token = createToken("approval", random);
  const words = await drawWords(random);
  const proven = await findProvenAddress(deps, caller, id, proofToken);
  const outcome = await store.askApproval({
    id,
    teamId: caller.teamId,
    ask: { id: ids.next("ask"), tokenHash: hashToken(token).toHex(), words, askerId: actorOf(caller) },
    address: proven?.address,
    proof: proven?.proof,
    network: networkOf(caller),
    quotaBytes: policy.teamQuotaBytes,
  });
  switch (outcome?.kind) {
    case undefined:
      throw new Refusal("not_found");
    case "ended":
      throw new Refusal(`secret_${outcome.state}`);
    case "needless":
      throw new Refusal("not_found", { detail: "Nobody has to approve this secret: it can be claimed." });
    case "unproven":
      throw new Refusal("proof_required");
    case "quota_exceeded":
      throw new Refusal("team_quota_exceeded");
    case "too_many": {
      const retryAfterSeconds = Math.max(1, Math.ceil((outcome.until - clock.now()) / 1000));
      throw new Refusal("rate_limited", {
        retryAfterSeconds,
        detail: "Five others have asked to open this secret, and wait. Ask its sender to refuse them.",
      });
    }
    case "asked":
      return { ask: outcome.ask, token };
  }
}

/**
 * The ask with this token. With `waitSeconds`, resolves when it is decided, and after that time at the latest. Throws a
 * Refusal: `not_found` when its time is over, or the code of the secret's end.
 */
export async function getAsk(
  deps: AskDeps,
  caller: Caller,
  input: {
    readonly id: string;
    readonly token: string | undefined;
    readonly waitSeconds: number;
    readonly signal: AbortSignal;
  },
): Promise<AskRecord> {
  const { store, clock, waits } = deps;
  const tokenHash = input.token === undefined ? undefined : hashToken(input.token).toHex();
  return waits.until({
    topic: input.id,
    credentialId: caller.credentialId,
    seconds: input.waitSeconds,
    signal: input.signal,
    async read() {
      const secret = await store.findSecret(caller.teamId, input.id);
      if (!secret) throw new Refusal("not_found");
      if (secret.state !== "available") throw new Refusal(`secret_${secret.state}`);
      const ask = findAsk(secret, tokenHash, clock.now());
      if (!ask)
        throw new Refusal("not_found", { detail: "Nothing was asked for with this token, or its time is over." });
      return ask;
    },
    settled: ({ state }) => state !== "waiting",
    changesAt: ({ until }) => until,
  });
}

/**
 * The asks of the caller's team that wait, and that the caller may decide, oldest first. With `waitSeconds`, resolves
 * when there is one, and after that time at the latest.
 */
export async function listAsks(
  deps: AskDeps,
  caller: Caller,
  { waitSeconds, signal }: { readonly waitSeconds: number; readonly signal: AbortSignal },
): Promise<PendingAsk[]> {
  const { store, clock, waits } = deps;
  const decider = deciderOf(caller);
  return waits.until({
    topic: caller.teamId,
    credentialId: caller.credentialId,
    seconds: waitSeconds,
    signal,
    async read() {
      const secrets = await store.listApprovals(caller.teamId);
      const now = clock.now();
      const asks = secrets.flatMap((secret) => asksAt(secret, now).map((ask) => ({ secret, ask })));
      return asks
        .filter(({ secret, ask }) => ask.state === "waiting" && mayDecide(secret, ask, decider))
        .toSorted((a, b) => a.ask.askedAt - b.ask.askedAt);
    },
    settled: (asks) => asks.length > 0,
  });
}

/**
 * Approves or refuses a claim. Throws a Refusal: `not_found` when the time of the ask is over, `not_approver` when
 * somebody else has to decide.
 */
export async function decideAsk(
  { store }: Pick<AskDeps, "store">,
  caller: Caller,
  secretId: string,
  { id: askId, state }: DecideAskBody,
): Promise<PendingAsk> {
  const by = { decider: deciderOf(caller), network: networkOf(caller) };
  const decision = { id: secretId, teamId: caller.teamId, askId, state, ...by };
  const outcome = await store.decideAsk(decision);
  if (!outcome) throw new Refusal("not_found", { detail: "Nobody asks for this any more." });
  if (outcome.kind === "not_approver") throw new Refusal("not_approver");
  return outcome;
}

function deciderOf(caller: Caller): Decider {
  return { id: actorOf(caller), address: addressOf(caller) };
}

/** Three random words of BIP 39, of which there are 2,048. */
async function drawWords(random: Random): Promise<string> {
  const { wordlist } = await import("@scure/bip39/wordlists/english.js");
  const bytes = random.bytes(2 * WORDS);
  const words = Array.from({ length: WORDS }, (_, index) => {
    const number = ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0);
    return wordlist[number % wordlist.length];
  });
  return words.join(" ");
}
