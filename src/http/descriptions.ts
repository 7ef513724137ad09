import type { OperationId } from "../contract/operations.ts";

/** What the documentation says of an operation. */
export interface OperationDescription {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly description: string;
}

const DESCRIPTIONS: Record<OperationId, Omit<OperationDescription, "operationId">> = {
  createSecret: {
    tags: ["Secrets"],
    summary: "Store an envelope",
    description:
      "Stores an encrypted envelope. A 201 means that it is on disk. The body carries encrypted data only; whatever else it has is refused.",
  },
  listSecrets: {
    tags: ["Secrets"],
    summary: "List secrets",
    description:
      "The metadata of the team's secrets, newest first, those that have ended in the last 30 days included.",
  },
  getSecret: {
    tags: ["Secrets"],
    summary: "See what became of a secret",
    description: "The metadata of one secret. With `wait` the answer comes when its state changes. Uses nothing up.",
  },
  claimSecret: {
    tags: ["Secrets"],
    summary: "Claim a secret",
    description:
      "Hands the envelope over and uses up one claim. With an `Idempotency-Key` the same call can be repeated until `replay_until`, so that a broken connection loses nothing.",
  },
  acknowledgeClaim: {
    tags: ["Secrets"],
    summary: "Acknowledge a claim",
    description:
      "Says that a claim has arrived and been kept: the ciphertext is erased now instead of at `replay_until`. Send the `Idempotency-Key` of the claim.",
  },
  revokeSecret: {
    tags: ["Secrets"],
    summary: "Revoke a secret",
    description: "Takes a secret back and erases it. One that has ended stays as it is.",
  },
  createRequest: {
    tags: ["Requests"],
    summary: "Ask for a secret",
    description:
      "Makes what a request link leads to: somebody without an account hands a secret in, encrypted to the recipient. The note is sealed; its key is in the link.",
  },
  listRequests: {
    tags: ["Requests"],
    summary: "List requests",
    description:
      "The metadata of the team's requests, newest first, those that have ended in the last 30 days included.",
  },
  getRequest: {
    tags: ["Requests"],
    summary: "See what came of a request",
    description:
      "The metadata of one request with what was handed in. With `wait` the answer comes when the state changes, and at once while something waits to be claimed.",
  },
  getInvitation: {
    tags: ["Requests"],
    summary: "See what is asked for",
    description:
      "What the holder of a request link needs to answer it. Compare the recipient with the pin in the link before encrypting to it.",
  },
  submitSecret: {
    tags: ["Requests"],
    summary: "Hand a secret in",
    description:
      "Stores an envelope for whoever made the request link. A 201 means that it is on disk. Send an `Idempotency-Key`, so that a repetition hands in nothing twice.",
  },
  patchRequest: {
    tags: ["Requests"],
    summary: "Pause or open a request",
    description: "A paused request takes no submissions until it is opened again. One that has ended stays ended.",
  },
  revokeRequest: {
    tags: ["Requests"],
    summary: "Revoke a request",
    description: "Takes a request back. What was handed in stays, and one that has ended stays as it is.",
  },
  listEvents: {
    tags: ["Events"],
    summary: "List events",
    description: "Every change of state in the team, oldest first. With `wait` an empty page is held back.",
  },
  getCredential: {
    tags: ["Credential"],
    summary: "See what this credential may do",
    description: "Kind, identity, team, scopes, expiry and limits of the credential that the request carries.",
  },
};

/** What the documentation says of `operation`. */
export function describeOperation(operation: OperationId): OperationDescription {
  return { operationId: operation, ...DESCRIPTIONS[operation] };
}
