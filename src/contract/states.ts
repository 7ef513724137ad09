/** The states of a secret, contract section 4. The first is the initial one; the others are final. */
export const SECRET_STATES = ["available", "claimed", "expired", "revoked"] as const;
export type SecretState = (typeof SECRET_STATES)[number];

/** The states of a request. The first is the initial one, the first two alternate, and the others are final. */
export const REQUEST_STATES = ["open", "paused", "fulfilled", "expired", "revoked"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** The states that are not final: a secret can be claimed; a request accepts submissions, now or once it is resumed. */
export const LIVE_STATES = ["available", "open", "paused"] as const;

/** True for a state that is not final. */
export function isLive<S extends SecretState | RequestState>(state: S): state is S & (typeof LIVE_STATES)[number] {
  return LIVE_STATES.some((live) => live === state);
}

/** The types of events: changes of state, refusals, and a delivery that a webhook gave up. */
export const EVENT_TYPES = [
  "secret.created",
  "secret.changed",
  "secret.claimed",
  "secret.expired",
  "secret.revoked",
  "secret.proof_refused",
  "secret.approval_asked",
  "secret.approved",
  "secret.refused",
  "request.created",
  "request.paused",
  "request.opened",
  "request.fulfilled",
  "request.expired",
  "request.revoked",
  "request.proof_refused",
  "webhook.failed",
  "person.signed_in",
  "person.signed_out",
  "person.passkey_added",
  "person.passkey_removed",
  "person.refused",
  "key.refused",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The kinds of actors in events: an API key, a person, the holder of a link, and one who has proven an address. */
export const ACTOR_KINDS = ["api_key", "person", "link", "address"] as const;

/** The formats of a ciphertext: the shape of an age file, contract section 2, or any other. */
export const CIPHERTEXT_FORMATS = ["age", "unrecognized"] as const;
export type CiphertextFormat = (typeof CIPHERTEXT_FORMATS)[number];

/** The kinds of credentials in answers. */
export const CREDENTIAL_KINDS = ["api_key", "claim_token", "submit_token", "person"] as const;

/** How a person signs in, contract section 11. */
export const SIGN_IN_WAYS = ["link", "passkey", "oidc", "mail"] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];

/** The people who may have to approve a claim: the sender, or another person of the team. */
export const APPROVERS = ["sender", "team"] as const;
export type Approver = (typeof APPROVERS)[number];

/** The states of an ask for approval. It ends with its secret, with the claim, and with its time. */
export const ASK_STATES = ["waiting", "approved", "refused"] as const;
export type AskState = (typeof ASK_STATES)[number];

/** How an address was proven: by a code from a mail, or by the session of its person. */
export const PROOF_WAYS = ["code", "session"] as const;
export type ProofWay = (typeof PROOF_WAYS)[number];

/** How a session began: as its person signed in, or at a terminal that they let in. */
export const SESSION_WAYS = [...SIGN_IN_WAYS, "terminal"] as const;
export type SessionWay = (typeof SESSION_WAYS)[number];

/** The mails that a person can ask for, contract section 15. */
export const NOTICE_KINDS = ["opened", "ending", "handed_in", "asked"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The rules that a team may have, contract section 7. */
export const TEAM_RULES = [
  "max_expires",
  "max_claims",
  "max_secret",
  "require_reference",
  "require_for",
  "for_domain",
  "approval",
] as const;
export type TeamRule = (typeof TEAM_RULES)[number];

/** The version of an envelope that has its ciphertext in it, contract section 2. */
export const ENVELOPE_VERSION = 1;
/** The version of a large secret, whose ciphertext is uploaded and downloaded in pieces, contract section 19. */
export const LARGE_VERSION = 2;
export type EnvelopeVersion = typeof ENVELOPE_VERSION | typeof LARGE_VERSION;
