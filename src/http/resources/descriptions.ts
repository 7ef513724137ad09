import type { OperationId } from "../../contract/operations.ts";

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
      "Stores an encrypted envelope. A 201 means that it is on disk. The body has one member, the envelope. Other members are rejected.",
  },
  listSecrets: {
    tags: ["Secrets"],
    summary: "List secrets",
    description:
      "The metadata of the team's secrets, newest first. Those that have ended are listed until they are deleted (`--tombstones`).",
  },
  getSecret: {
    tags: ["Secrets"],
    summary: "Get a secret",
    description:
      "The metadata of one secret. With `wait` it responds on a state change, or after `wait` seconds. It uses up no claim.",
  },
  claimSecret: {
    tags: ["Secrets"],
    summary: "Claim a secret",
    description:
      "Returns the envelope and uses up one claim. With an `Idempotency-Key` the same call can be repeated until `replay_until`, in case the answer did not arrive.",
  },
  acknowledgeClaim: {
    tags: ["Secrets"],
    summary: "Acknowledge a claim",
    description:
      "Says that a claim has arrived and been kept. Its ciphertext is erased now instead of at `replay_until`, unless claims are left. Send the `Idempotency-Key` of the claim.",
  },
  revokeSecret: {
    tags: ["Secrets"],
    summary: "Revoke a secret",
    description:
      "Ends a secret and erases it. A revoked secret stays as it is. For one that was claimed or has expired it is too late: 410 with that code.",
  },
  createRequest: {
    tags: ["Requests"],
    summary: "Ask for a secret",
    description:
      "Creates the request behind a request link, through which people without an account hand in secrets, encrypted to the recipient. The note is sealed, and its key is in the link.",
  },
  listRequests: {
    tags: ["Requests"],
    summary: "List requests",
    description:
      "The metadata of the team's requests, newest first. Those that have ended are listed until they are deleted (`--tombstones`).",
  },
  getRequest: {
    tags: ["Requests"],
    summary: "Get a request",
    description:
      "The metadata of one request and what was handed in. With `wait` it responds on a state change, or after `wait` seconds, and at once while something waits to be claimed.",
  },
  getInvitation: {
    tags: ["Requests"],
    summary: "Get an invitation",
    description:
      "What the holder of a request link needs to hand in a secret. Compare the recipient with the pin in the link before encrypting to it.",
  },
  submitSecret: {
    tags: ["Requests"],
    summary: "Hand in a secret",
    description:
      "Stores an envelope for the person who asked. A 201 means that it is on disk. Send an `Idempotency-Key`, so that a repeated call hands in nothing twice.",
  },
  patchRequest: {
    tags: ["Requests"],
    summary: "Pause or resume a request",
    description:
      "A paused request accepts no submissions until it is resumed (`open`). One that has ended stays ended.",
  },
  revokeRequest: {
    tags: ["Requests"],
    summary: "Revoke a request",
    description: "Ends a request. What was handed in stays. One that has ended stays as it is.",
  },
  listEvents: {
    tags: ["Events"],
    summary: "List events",
    description:
      "The events of the team, oldest first. With `wait` it responds when something happens, or after `wait` seconds.",
  },
  getCredential: {
    tags: ["Credential"],
    summary: "Get this credential",
    description:
      "Kind, identity, team, scopes, expiry and limits of the credential that the call carries, and how much the team takes up.",
  },
};

/** What the documentation says of `operation`. */
export function describeOperation(operation: OperationId): OperationDescription {
  return { operationId: operation, ...DESCRIPTIONS[operation] };
}
