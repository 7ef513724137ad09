/** What becomes of a secret, contract section 4. The first is where it begins; none of the others is ever left. */
export const SECRET_STATES = ["available", "claimed", "expired", "revoked"] as const;
export type SecretState = (typeof SECRET_STATES)[number];

/** What becomes of a request. The first two are where it can be answered; none of the others is ever left. */
export const REQUEST_STATES = ["open", "paused", "fulfilled", "expired", "revoked"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** Whether a request in `state` can still be answered, now or when it is opened again. */
export function isLive(state: RequestState): state is "open" | "paused" {
  return state === "open" || state === "paused";
}

/** What is told of a change of state. */
export const EVENT_TYPES = [
  "secret.created",
  "secret.claimed",
  "secret.expired",
  "secret.revoked",
  "request.created",
  "request.paused",
  "request.opened",
  "request.fulfilled",
  "request.expired",
  "request.revoked",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Whether a ciphertext has the shape of an age file, contract section 2. */
export const CIPHERTEXT_FORMATS = ["age", "unrecognized"] as const;
export type CiphertextFormat = (typeof CIPHERTEXT_FORMATS)[number];

/** What a credential can be, as it is told about itself. */
export const CREDENTIAL_KINDS = ["api_key", "claim_token", "submit_token", "person"] as const;
