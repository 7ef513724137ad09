import { LARGE_CIPHERTEXT_BYTES } from "../../contract/ciphertexts.ts";
import { LARGE_VERSION } from "../../contract/states.ts";
import { mayUse, toActorAddress } from "../addressees.ts";
import type { IdempotentCall } from "../ports/calls.ts";
import type { EventActor } from "../ports/events.ts";
import type {
  AskInput,
  AskOutcome,
  AskRecord,
  ClaimInput,
  ClaimOutcome,
  CreateSecretOutcome,
  DecisionInput,
  DecisionOutcome,
  NewSecret,
  SecretRecord,
} from "../ports/secrets.ts";
import {
  ACKNOWLEDGED,
  afterClaim,
  afterRevocation,
  afterTerms,
  answerToReplay,
  atCreation,
  eventOf,
  NOBODY,
  retention,
} from "../secret-lifecycle.ts";
import type { TermsChange } from "../secret-lifecycle.ts";
import {
  asksAt,
  findAsk,
  givesWayAt,
  mayDecide,
  WAITING_MS,
  withAsk,
  withDecision,
  withoutAsks,
} from "../values/approvals.ts";
import { seenAt } from "../values/expiry.ts";
import { recallCall, rememberCall, toRememberedClaim } from "./calls.ts";
import type { Lookups, SecretRow, Transaction } from "./transaction.ts";
import { takeUpload } from "./uploads.ts";

/** The outcome of a creation. "created" comes without a record, which the caller has. */
export type Created = "created" | CreateSecretOutcome;

/** The secret or request to change, the identity that changes it, null without one, and its network. */
export interface SubjectChange {
  readonly teamId: string;
  readonly id: string;
  readonly actorId: string | null;
  readonly network?: string | null;
}

/** Converts a row to a record, without the members that only transactions need. */
export function toSecretRecord(row: SecretRow): SecretRecord {
  const { seq: _seq, claimTokenHash: _hash, dueAt: _dueAt, ...record } = row;
  return record;
}

/** Finds a secret; undefined when the team has none with this ID. */
function findSecret(tx: Lookups, teamId: string, id: string): SecretRow | undefined {
  const row = tx.secrets.find(id);
  return row?.teamId === teamId ? row : undefined;
}

/**
 * Returns the outcome of the earlier creation by `call`; undefined when there was none, or when the secret is deleted.
 */
export function recallCreation(
  tx: Lookups,
  teamId: string,
  call: IdempotentCall | undefined,
): CreateSecretOutcome | undefined {
  const known = call && recallCall(tx, call);
  if (known === "conflict") return { kind: "conflict" };
  const row = known && findSecret(tx, teamId, known.subjectId);
  return row && { kind: "replayed", secret: atCreation(toSecretRecord(row)) };
}

/**
 * Creates a secret or a submission, unless `call` repeats an earlier one or the team's quota is too small. `proven` is
 * the address of somebody who hands in; nobody's by default.
 */
export function createSecret(
  tx: Transaction,
  secret: NewSecret,
  proven: Pick<EventActor, "address" | "proof"> = { address: null },
): Created {
  const { record, ciphertext, claimTokenHash, quotaBytes, call, network = null } = secret;
  const { teamId } = record;
  const known = recallCreation(tx, teamId, call);
  if (known) return known;
  const upload = record.envelopeVersion === LARGE_VERSION ? takeUpload(tx, record, ciphertext) : undefined;
  if (upload === "upload_ended") return { kind: "upload_ended" };
  // The bytes of an upload are charged since its beginning.
  const bytes = tx.charges.secret(record) + (upload ? 0 : tx.charges.ciphertext(record.ciphertextBytes));
  const others = tx.charges.event + (call ? tx.charges.call : 0);
  if (!tx.fits(teamId, bytes + others, quotaBytes)) return { kind: "quota_exceeded" };
  tx.charge(teamId, bytes);
  if (upload) tx.uploads?.change(upload, { ...upload, secretId: record.id });
  tx.secrets.add({ ...record, claimTokenHash, dueAt: record.expiresAt }, ciphertext);
  tx.append(eventOf(undefined, record, { actorId: record.createdBy, ...proven, network }), record);
  if (call) rememberCall(tx, call, record);
  return "created";
}

/** Claims a secret. Returns undefined when the team has none with this ID. */
export function claimSecret(tx: Transaction, claim: Omit<ClaimInput, "signal">): ClaimOutcome | undefined {
  const { id, teamId, actorId, network = null, approvalHash, call, isLarge = false, smallOnly } = claim;
  const row = findSecret(tx, teamId, id);
  if (!row) return undefined;
  const known = call && recallCall(tx, call);
  if (known === "conflict") return { kind: "conflict" };
  const next = known ? undefined : afterClaim(row, tx.now);
  if (typeof next === "string") {
    changeSecret(tx, row, seenAt(row, tx.now), NOBODY);
    return { kind: "ended", state: next };
  }
  if ((row.envelopeVersion === LARGE_VERSION) !== isLarge) return { kind: "other_version" };
  const approved = findAsk(row, approvalHash, tx.now);
  const proven = typeof approved?.address === "string" ? approved : claim;
  const address = proven.address ?? undefined;
  // A repetition gets its answer, also when the proof or the approval has ended since.
  if (!known && !mayUse(row, address)) return { kind: "unproven" };
  if (!known && row.approval !== null && approved?.state !== "approved") return { kind: "unapproved" };
  const { ciphertextBytes } = row;
  if (smallOnly && ciphertextBytes >= LARGE_CIPHERTEXT_BYTES && tx.secrets.hasCiphertext(row)) {
    return { kind: "too_large", ciphertextBytes };
  }
  // A damaged ciphertext must not count as claimed, so it is read first.
  const ciphertext = tx.secrets.readCiphertext(row);
  if (known) return answerToReplay(toSecretRecord(row), toRememberedClaim(known), ciphertext, tx.now);
  if (!next || ciphertext === undefined) throw new Error("an available secret has no ciphertext");
  tx.commitBefore(Math.min(row.expiresAt, approved?.until ?? Infinity));
  const replayUntil = call?.replayUntil ?? null;
  // Settling the secret, which follows, looks at the replay window.
  if (call) rememberCall(tx, call, row, { claimNumber: next.claims, claimedAt: tx.now, replayUntil: call.replayUntil });
  const ask = approved ? textOfAsk(approved) : null;
  const actor = { actorId, ...toActorAddress(row, proven), network, ask };
  const claimed = changeSecret(tx, row, withoutAsks(next, approved), actor);
  return { kind: "claimed", secret: toSecretRecord(claimed), ciphertext, replayUntil };
}

/**
 * Adds an ask for the approval of a claim, with its event. Returns undefined when the team has no secret with this ID.
 */
export function askApproval(
  tx: Transaction,
  { id, teamId, ask, address, proof, network, quotaBytes }: AskInput,
): AskOutcome | undefined {
  const row = findSecret(tx, teamId, id);
  if (!row) return undefined;
  const seen = seenAt(row, tx.now);
  if (seen.state !== "available") {
    changeSecret(tx, row, seen, NOBODY);
    return { kind: "ended", state: seen.state };
  }
  if (row.approval === null) return { kind: "needless" };
  if (!mayUse(row, address)) return { kind: "unproven" };
  if (!tx.fits(teamId, tx.charges.event, quotaBytes)) return { kind: "quota_exceeded" };
  const times = { askedAt: tx.now, until: Math.min(tx.now + WAITING_MS, row.expiresAt) };
  const asked = { ...ask, ...times, address: address ?? null, proof: proof ?? null, state: "waiting" } as const;
  const taken = withAsk(row, asked, tx.now);
  if (taken === "too_many") {
    return { kind: "too_many", until: Math.min(...asksAt(row, tx.now).map((each) => givesWayAt(each))) };
  }
  tx.commitBefore(row.expiresAt);
  if (!taken.isNew) {
    // Nobody has to look again.
    tx.secrets.change(row, taken.secret);
    return { kind: "asked", ask: taken.ask };
  }
  changeAsks(tx, taken.secret, {
    type: "secret.approval_asked",
    before: row,
    ask: asked,
    actorId: ask.askerId,
    network,
  });
  return { kind: "asked", ask: asked };
}

/** Decides an ask, with its event. Returns undefined when it isn't there, or its time is over. */
export function decideAsk(
  tx: Transaction,
  { id, teamId, askId, state, decider, network }: DecisionInput,
): DecisionOutcome | undefined {
  const row = findSecret(tx, teamId, id);
  const decision = row && withDecision(seenAt(row, tx.now), { id: askId, state }, tx.now);
  if (!row || !decision || decision.secret.state !== "available") return undefined;
  const { secret: next, ask } = decision;
  if (!mayDecide(row, ask, decider)) return { kind: "not_approver" };
  tx.commitBefore(row.expiresAt);
  if (next !== row) {
    const type = state === "approved" ? "secret.approved" : "secret.refused";
    changeAsks(tx, next, { type, before: row, ask, actorId: decider.id, network });
  }
  return { kind: "decided", secret: toSecretRecord(next), ask };
}

/** Writes the asks of `next`, with the event about one of them. */
function changeAsks(
  tx: Transaction,
  next: SecretRow,
  change: {
    readonly type: "secret.approval_asked" | "secret.approved" | "secret.refused";
    readonly before: SecretRow;
    readonly ask: AskRecord;
    readonly actorId: string | null;
    readonly network: string | null | undefined;
  },
): void {
  const { type, before, ask, actorId, network = null } = change;
  const { id: secretId, teamId, requestId, reference } = next;
  const proof = type === "secret.approval_asked" ? ask.proof : null;
  const actor = { actorId, address: actorId === null ? ask.address : null, proof, network };
  tx.secrets.change(before, next);
  tx.append({ type, teamId, secretId, requestId, reference, ...actor, ask: textOfAsk(ask) }, next);
}

function textOfAsk({ id, words }: AskRecord): string {
  return `${id} ${words}`;
}

/** Ends the replay window of a claim. Returns undefined when the call was no claim of this secret. */
export function acknowledgeClaim(
  tx: Transaction,
  { id, claimDigest }: { readonly id: string; readonly claimDigest: Uint8Array },
): "acknowledged" | "repeated" | undefined {
  const known = tx.calls.find(claimDigest);
  if (known?.subjectId !== id || known.claimNumber === null) return undefined;
  if (known.replayUntil === ACKNOWLEDGED) return "repeated";
  tx.calls.setReplayUntil(known, ACKNOWLEDGED);
  const row = findSecret(tx, known.teamId, id);
  if (row && row.state !== "available") settleSecret(tx, row);
  return "acknowledged";
}

/** The secret to change, and its new terms. */
export interface TermsSetting extends SubjectChange, TermsChange {
  readonly quotaBytes: number;
}

/** The outcome of a change of terms: the record after it, or why there is none. */
export type TermsOutcome = SecretRecord | "quota_exceeded" | "submission" | "too_few";

/**
 * Sets the terms of an available secret and returns its record after that. A submission keeps its own. Returns
 * undefined when the team has none with this ID.
 */
export function setSecretTerms(tx: Transaction, setting: TermsSetting): TermsOutcome | undefined {
  const { teamId, id, actorId, network = null, quotaBytes } = setting;
  const row = findSecret(tx, teamId, id);
  if (!row) return undefined;
  const next = afterTerms(row, setting, tx.now);
  if (next === "too_few") return next;
  if (next.state !== "available" || next === row) return toSecretRecord(changeSecret(tx, row, next, NOBODY));
  if (row.requestId !== null) return "submission";
  if (!tx.fits(teamId, tx.charges.event, quotaBytes)) return "quota_exceeded";
  tx.commitBefore(row.expiresAt);
  return toSecretRecord(changeSecret(tx, row, { ...next, dueAt: next.expiresAt }, { actorId, address: null, network }));
}

/**
 * Revokes an available secret and returns its record after that. Returns undefined when the team has none with this ID.
 */
export function revokeSecret(
  tx: Transaction,
  { teamId, id, actorId, network = null }: SubjectChange,
): SecretRecord | undefined {
  const row = findSecret(tx, teamId, id);
  if (!row) return undefined;
  const next = afterRevocation(row, tx.now);
  if (next !== row && next.state === "revoked") {
    tx.commitBefore(row.expiresAt);
    tx.record({ action: "secret.revoked", subjectId: id, teamId });
  }
  return toSecretRecord(changeSecret(tx, row, next, { actorId, address: null, network }));
}

/**
 * Ends a secret if it is overdue, and returns its record after that. Returns undefined when the team has none with this
 * ID.
 */
export function expireSecret(
  tx: Transaction,
  { teamId, id }: Pick<SubjectChange, "teamId" | "id">,
): SecretRecord | undefined {
  const row = findSecret(tx, teamId, id);
  return row && toSecretRecord(changeSecret(tx, row, seenAt(row, tx.now), NOBODY));
}

/** Applies the changes of a secret that are due: its expiry, or erasing its ciphertext or tombstone. */
export function sweepSecret(tx: Transaction, row: SecretRow): void {
  const next = seenAt(row, tx.now);
  if (next === row) settleSecret(tx, row);
  else changeSecret(tx, row, next, NOBODY);
}

/** Deletes a secret and its ciphertext, whatever its state. */
export function eraseSecret(tx: Transaction, row: SecretRow): void {
  eraseCiphertext(tx, row);
  tx.secrets.remove(row);
  tx.charge(row.teamId, -tx.charges.secret(row));
}

/** Writes the change from `row` to `next` with its event, and returns `next`. Settles a secret that has ended. */
function changeSecret(tx: Transaction, row: SecretRow, changed: SecretRow, actor: EventActor): SecretRow {
  if (changed === row) return changed;
  const next = changed.state === "available" ? changed : withoutAsks(changed);
  tx.secrets.change(row, next);
  tx.append(eventOf(row, next, actor), next);
  if (next.state !== "available") settleSecret(tx, next);
  return next;
}

function eraseCiphertext(tx: Transaction, row: SecretRow): void {
  if (tx.secrets.eraseCiphertext(row)) tx.charge(row.teamId, -tx.charges.ciphertext(row.ciphertextBytes));
}

/** Erases the parts of a secret whose retention has ended, and sets the sweeper's next visit. */
function settleSecret(tx: Transaction, row: SecretRow): void {
  const { tombstoneMs } = tx;
  const { keep, dueAt } = retention(row, { lastReplay: tx.secrets.lastReplay(row), tombstoneMs }, tx.now);
  if (keep === "nothing") return eraseSecret(tx, row);
  if (keep === "tombstone") eraseCiphertext(tx, row);
  // An early visit of the sweeper does no harm. Updating the index of due times for every claimed secret would cost a
  // claim more than all its other writes.
  if (row.dueAt > dueAt || row.dueAt <= tx.now) tx.secrets.change(row, { ...row, dueAt });
}
