import type { ProofBody } from "../../contract/persons.ts";
import { isAddressee } from "../addressees.ts";
import { addressOf, networkOf } from "../callers.ts";
import type { Caller } from "../callers.ts";
import { isAddress } from "../names.ts";
import type { NewEvent } from "../ports/events.ts";
import type { ProofStore } from "../ports/proofs.ts";
import type { Clock, Random } from "../ports/sources.ts";
import type { ServerPolicy } from "../server-policies.ts";
import type { BrowserName } from "../sessions.ts";
import { Refusal } from "../values/errors.ts";
import { toName } from "../values/name-forms.ts";
import { createToken, hashToken } from "../values/tokens.ts";
import { MAX_TRIES, newCodeMail } from "./mail-codes.ts";

/** How long a complete proof counts. */
const PROVEN_SECONDS = 600;

interface ProofDeps {
  readonly store: ProofStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: ServerPolicy;
}

/** A proof, with its token. */
export interface HeldProof {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Begins the proof of an address by a code, for the secret or the request of the caller's link. A mail is queued when
 * the address is among the chosen ones; otherwise its team gets an event. The answer doesn't tell which. Throws a
 * Refusal: `not_found` where no code can be sent, or nobody was chosen, or the code of the end of the secret or
 * request.
 */
export async function beginProof(deps: ProofDeps, caller: Caller, asked: ProofBody & BrowserName): Promise<HeldProof> {
  const { store, clock, random, policy } = deps;
  const { subjectId, addressees, refusal } = subjectOf(caller);
  if (!policy.sendsMails) throw new Refusal("not_found", { detail: "This server sends no mails." });
  if (addressees === null) {
    throw new Refusal("not_found", { detail: "It is for everybody with the link: no proof is needed." });
  }
  if (caller.kind === "claim" && caller.secret.state !== "available") {
    throw new Refusal(`secret_${caller.secret.state}`);
  }
  if (caller.kind === "submit" && caller.request.state !== "open") throw new Refusal(`request_${caller.request.state}`);
  const address = toName(asked.address);
  const token = createToken("proof", random);
  const { mail, seed } = newCodeMail({ clock, random }, "proof_code", { ...asked, address }, { subject: subjectId });
  const proof = { purpose: "proof", challenge: seed, address, subjectId, expiresAt: mail.endsAt } as const;
  // What a stranger typed goes to no log unless it is an address.
  const told = { ...refusal, address: isAddress(address) ? address : null };
  const effect = isPlain(address) && isAddressee(addressees, address) ? { mail } : { event: told };
  await store.createProof(proof, hashToken(token), effect);
  return { token, expiresAt: mail.endsAt };
}

// At a chosen domain, somebody else chooses the rest of the address, which approvers and logs read. What mail servers
// would have in quotes is left out: it may look like a sentence, or like another address.
const PLAIN = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[^@]+$/u;

function isPlain(address: string): boolean {
  return isAddress(address) && PLAIN.test(address);
}

/**
 * Completes a proof of the caller's link with a code, and returns its address. Throws a Refusal: `code_invalid`
 * for a wrong code, `code_expired` for a proof that is over, is complete, or had five wrong codes.
 */
export async function completeProof(
  { store, clock }: ProofDeps,
  caller: Caller,
  { token, code }: { readonly token: string; readonly code: string },
): Promise<HeldProof & { readonly address: string }> {
  const { subjectId, refusal } = subjectOf(caller);
  const expiresAt = clock.now() + PROVEN_SECONDS * 1000;
  const use = { tokenHash: hashToken(token), subjectId, code, maxTries: MAX_TRIES, provenUntil: expiresAt, refusal };
  const outcome = await store.completeProof(use);
  if (outcome === "over") throw new Refusal("code_expired");
  if (outcome === "wrong") throw new Refusal("code_invalid");
  return { token, expiresAt, address: outcome.address };
}

/**
 * Proves the address of a signed-in person for one secret or request, whether there is one or not. Throws a Refusal
 * `proof_required` for a caller without an address.
 */
export async function proveOwnAddress(
  { store, clock, random }: ProofDeps,
  caller: Caller,
  subjectId: string,
): Promise<HeldProof & { readonly address: string }> {
  const address = addressOf(caller);
  if (address === undefined) throw new Refusal("proof_required", { detail: "This credential has no address." });
  const token = createToken("proof", random);
  const expiresAt = clock.now() + PROVEN_SECONDS * 1000;
  await store.createProof({ purpose: "proven", challenge: "session", address, subjectId, expiresAt }, hashToken(token));
  return { token, expiresAt, address };
}

/** The secret or the request of a link, and the event of a proof that was refused for it. */
function subjectOf(caller: Caller): {
  readonly subjectId: string;
  readonly addressees: string | null;
  readonly refusal: Omit<NewEvent, "address">;
} {
  const network = networkOf(caller);
  switch (caller.kind) {
    case "claim": {
      const { id, teamId, requestId, reference, addressees } = caller.secret;
      const refusal = {
        type: "secret.proof_refused",
        teamId,
        secretId: id,
        requestId,
        actorId: null,
        reference,
        network,
      } as const;
      return { subjectId: id, addressees, refusal };
    }
    case "submit": {
      const { id, teamId, reference, addressees } = caller.request;
      const refusal = {
        type: "request.proof_refused",
        teamId,
        secretId: null,
        requestId: id,
        actorId: null,
        reference,
        network,
      } as const;
      return { subjectId: id, addressees, refusal };
    }
    case "apiKey":
    case "person":
      throw new Error("the gate let somebody without a link through");
  }
}
