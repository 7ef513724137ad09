import { answerSchema } from "../../contract/answer-schemas.ts" with { type: "macro" };
import type { Proof } from "../../contract/persons.ts";
import type { HttpClient } from "../http-client.ts";
import { parseBySchema } from "../shapes.ts";

// Apart from the other shapes: the page loads this file only for a link that is for chosen people.
const BEGUN_PROOF = answerSchema("BegunProof");
const PROOF = answerSchema("Proof");

/** The link that an address is proven for: to a secret or to a request, by its ID. */
export interface ProofSubject {
  readonly kind: "secret" | "request";
  readonly id: string;
}

/**
 * Asks for a code by mail, in a language (BCP 47), and returns the token of the proof that it completes. A mail comes
 * only when the address is among the chosen ones; the answer doesn't tell. Throws ClientError.
 */
export async function beginProof(
  client: HttpClient,
  { kind, id }: ProofSubject,
  body: { readonly address: string; readonly language: string },
): Promise<string> {
  const operation = kind === "secret" ? "beginSecretProof" : "beginRequestProof";
  return parseBySchema(BEGUN_PROOF, await client.call(operation, { id, body })).proof_token;
}

/** Completes a proof with the code from the mail. Throws ClientError: `code_invalid`, `code_expired`. */
export async function completeProof(
  client: HttpClient,
  { kind, id }: ProofSubject,
  { proofToken, code }: { readonly proofToken: string; readonly code: string },
): Promise<Proof> {
  const operation = kind === "secret" ? "completeSecretProof" : "completeRequestProof";
  return parseBySchema(PROOF, await client.call(operation, { id, body: { proof_token: proofToken, code } }));
}

/**
 * Proves the address of the person whose session or terminal the client has, for the secret or the request with this
 * ID. Throws ClientError; `proof_required` for another credential.
 */
export async function proveOwnAddress(client: HttpClient, id: string): Promise<Proof> {
  return parseBySchema(PROOF, await client.call("createProof", { body: { subject_id: id } }));
}
