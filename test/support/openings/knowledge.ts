// What a test knows for certain of one secret, from the calls that it has made and their answers, and what follows from
// that for each opening. A call whose answer was lost may have been carried out or not.

/** By how much the clock of a server may differ: it may be ahead of the time for a moment. */
const SLACK_MS = 2000;
const COUNTS_MS = 600_000;
/** A call whose answer was lost isn't carried out later than this. */
const LATE_MS = 20_000;

/** Those who have keys: the address of a person, and undefined for an API key. */
export const HOLDERS = [undefined, undefined, "bea@example.com", "dan@example.org"] as const;

/** The time of a call; `ended` is Infinity while it is on its way. */
interface Span {
  readonly began: number;
  readonly ended: number;
}

/** The proof of an address, by its token. */
export interface Proof {
  readonly token: string;
  readonly address: string;
  /** When the right code was typed, by calls that may have succeeded. */
  readonly completions: (Span & { readonly isSure: boolean })[];
}

export interface Ask {
  readonly id: string;
  readonly token: string;
  /** That of the person, or of the proof that came with it. */
  readonly address: string | undefined;
  /** The number of the key that asked; undefined for the holder of the link. */
  readonly asker: number | undefined;
  readonly span: Span;
  /** When the same asker had certainly asked anew. */
  replacedAt: number;
}

export interface Decision {
  readonly askId: string;
  readonly state: "approved" | "refused";
  readonly by: number;
  readonly span: { began: number; ended: number };
  /** Undefined while nobody knows. */
  isTaken: boolean | undefined;
}

export interface Claim {
  readonly key: string;
  readonly proof: string | undefined;
  readonly approval: string | undefined;
  /** The number of the key that claims; undefined for the holder of the link. */
  readonly by: number | undefined;
  readonly began: number;
  state: "won" | "refused" | "unknown";
  /** When it was answered; Infinity if it wasn't. */
  wonAt: number;
  acknowledgedAt: number;
}

/** A secret, and everything that was done to it. */
export interface Known {
  readonly seed: number;
  readonly id: string;
  readonly token: string;
  readonly ciphertext: string;
  readonly approval: "sender" | "team" | undefined;
  /** In lower case; undefined for everybody. */
  readonly chosen: readonly string[] | undefined;
  readonly maxClaims: number;
  /** The number of the key that sent it. */
  readonly sender: number;
  readonly expiresAt: number;
  readonly proofs: Proof[];
  readonly asks: Ask[];
  readonly decisions: Decision[];
  readonly claims: Claim[];
  readonly revocations: { readonly began: number; ended: number; isTaken: boolean | undefined }[];
}

export function mayDecide({ approval, sender }: Known, ask: Pick<Ask, "asker" | "address">, by: number): boolean {
  if (by === ask.asker || (approval === "sender") !== (by === sender)) return false;
  return ask.address === undefined || ask.address !== HOLDERS[by];
}

export function isChosen({ chosen }: Pick<Known, "chosen">, address: string): boolean {
  const own = address.toLowerCase();
  return chosen === undefined || chosen.some((each) => each === own || each === `*${own.slice(own.lastIndexOf("@"))}`);
}

/** What is wrong with the proof in a call that succeeded; undefined for nothing. */
export function proofFault(
  known: Known,
  { by, proof: token }: Pick<Claim, "by" | "proof">,
  { began, ended }: Span,
): string | undefined {
  if (known.chosen === undefined) return undefined;
  const own = by === undefined ? undefined : HOLDERS[by];
  if (own !== undefined) return isChosen(known, own) ? undefined : `by ${own}, who wasn't chosen`;
  const proof = known.proofs.find((each) => each.token === token);
  if (!proof) return token === undefined ? "without a proof" : "with a proof of another secret";
  if (!isChosen(known, proof.address)) return `with a proof of ${proof.address}, who wasn't chosen`;
  const completed = proof.completions.filter((each) => each.began < ended);
  if (completed.length === 0) return "with a proof whose code nobody had typed";
  const sure = completed.find(({ isSure }) => isSure);
  const last = sure?.ended ?? Math.max(...completed.map((each) => each.began + LATE_MS));
  return last + COUNTS_MS + SLACK_MS < began ? "with a proof that was over" : undefined;
}

/** What is wrong with a claim that got the secret by a call of this time; undefined for nothing. */
export function openingFault(known: Known, claim: Claim, span: Span): string | undefined {
  if (known.claims.filter(({ state }) => state === "won").length > known.maxClaims) return "once too often";
  if (known.expiresAt + SLACK_MS < span.began) return "after its end";
  if (known.approval === undefined) return proofFault(known, claim, span);
  const ask = known.asks.find(({ token }) => token === claim.approval);
  if (!ask) return claim.approval === undefined ? "without an approval" : "with an approval of another secret";
  if (ask.replacedAt < span.began) return "with a token that another has replaced";
  if (known.chosen && (ask.address === undefined || !isChosen(known, ask.address))) return "by an ask without a proof";
  const decisions = known.decisions.filter(({ askId }) => askId === ask.id);
  const approvals = decisions.filter(
    ({ state, isTaken, by, span: { began } }) =>
      state === "approved" && isTaken !== false && began < span.ended && mayDecide(known, ask, by),
  );
  if (approvals.length === 0) return "without anybody's approval";
  const isRefused = decisions.some(
    ({ state, isTaken, span: { ended } }) => state === "refused" && isTaken === true && ended < span.began,
  );
  if (isRefused) return "after a refusal";
  const sure = approvals.filter(({ isTaken }) => isTaken === true).map((each) => each.span.ended);
  const latest = sure.length > 0 ? Math.min(...sure) : Math.max(...approvals.map((each) => each.span.began + LATE_MS));
  if (latest + COUNTS_MS + SLACK_MS < span.began) return "with an approval that was over";
  const isUsed = known.claims.some(
    (other) => other !== claim && other.state === "won" && askOf(known, other)?.id === ask.id,
  );
  return isUsed ? "with an approval that was used" : undefined;
}

/** What is wrong with an answer to a claim that has been answered before; undefined for nothing. */
export function repetitionFault(known: Known, claim: Claim, { began }: Span): string | undefined {
  if (claim.acknowledgedAt < began) return "after its acknowledgement";
  const isRevoked = known.revocations.some(({ isTaken, ended }) => isTaken === true && ended < began);
  return isRevoked ? "after it was revoked" : undefined;
}

/** What is wrong with a decision that was taken; undefined for nothing. */
export function decisionFault(known: Known, decision: Decision): string | undefined {
  const { askId, state, by, span } = decision;
  const ask = known.asks.find(({ id }) => id === askId);
  if (!ask) return "about an ask of another secret";
  if (!mayDecide(known, ask, by)) return "by somebody who may not decide";
  const isUsed = known.claims.some((claim) => askOf(known, claim)?.id === askId && claim.wonAt < span.began);
  if (isUsed) return "about an ask that was used";
  const isFinal = known.decisions.some(
    (other) =>
      other.askId === askId && other.state === "refused" && other.isTaken === true && other.span.ended < span.began,
  );
  return state === "approved" && isFinal ? "after a refusal, which is final" : undefined;
}

export function askOf({ asks }: Known, { approval }: Pick<Claim, "approval">): Ask | undefined {
  return asks.find(({ token }) => token === approval);
}

/** The address that the log has to have for a claim; undefined for none, or for one of a key. */
export function addressOf(known: Known, claim: Claim): string | undefined {
  if (known.chosen === undefined || claim.by !== undefined) return undefined;
  const ask = askOf(known, claim);
  return ask ? ask.address : known.proofs.find(({ token }) => token === claim.proof)?.address.toLowerCase();
}
