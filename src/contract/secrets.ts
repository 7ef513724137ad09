import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { CiphertextFormat, Envelope, StoredEnvelope } from "./envelopes.ts";
import {
  Addressees,
  Anonymous,
  Closed,
  For,
  Id,
  Lifetime,
  ListQuery,
  NoQuery,
  Nullable,
  OneOf,
  Page,
  PathOf,
  Reference,
  Times,
  Timestamp,
  TokenHash,
  Wait,
  Words,
} from "./fields.ts";
import type { PageOf } from "./fields.ts";
import { exampleId } from "./ids.ts";
import { MAX_CLAIMS } from "./limits.ts";
import { URL_PATTERN } from "./patterns.ts";
import { PersonAs } from "./persons.ts";
import { APPROVERS, ASK_STATES, SECRET_STATES } from "./states.ts";
import { encodeToken, TOKEN_ENTROPY_BYTES } from "./tokens.ts";

export const SecretState = OneOf(SECRET_STATES, {
  title: "SecretState",
  description: "`available`, or the end it came to. An ended state is never left.",
});

const secretExample = {
  id: exampleId("secret"),
  state: "available",
  envelope_version: 1,
  ciphertext_bytes: 20,
  ciphertext_format: "unrecognized",
  created_at: "2026-11-21T09:30:00.000Z",
  expires_at: "2026-11-28T09:30:00.000Z",
  max_claims: 1,
  claims: 0,
  ended_at: null,
  created_by: exampleId("identity"),
  request_id: null,
  reference: null,
  sender: null,
  for: null,
  approval: null,
};

/** The metadata of a secret, contract section 5. What does not apply is null, never absent. */
export const Secret = Closed(
  {
    id: Id("secret", "The id of the secret."),
    state: SecretState,
    envelope_version: Type.Integer({ minimum: 1 }),
    ciphertext_bytes: Type.Integer({ minimum: 1, description: "Length of the ciphertext as it was sent." }),
    ciphertext_format: CiphertextFormat,
    created_at: Timestamp("When it was stored."),
    expires_at: Timestamp("When it can no longer be claimed."),
    max_claims: Type.Integer({ minimum: MAX_CLAIMS.min, description: "The number of times it can be claimed." }),
    claims: Type.Integer({ minimum: 0, description: "The number of times it has been claimed." }),
    ended_at: Nullable(Timestamp("When it left `available`.")),
    created_by: Nullable(Id("identity", "The identity that made it; null for the holder of a claim token.")),
    request_id: Nullable(Id("request", "The request it was submitted to; null for the holder of a claim token.")),
    reference: Nullable(
      Reference(
        "The ticket that its sender named, or the request that it was submitted to; null for the holder of a claim token.",
      ),
    ),
    sender: Nullable(
      PersonAs(
        "The signed-in person who sent it, as the server says; for the holder of its claim token alone. Null for an automation, for an anonymous sender, and for a member of the team.",
      ),
    ),
    for: Addressees("claim it"),
    approval: Nullable(
      OneOf(APPROVERS, {
        description: "Who has to approve each claim: its sender, or somebody else of the team. Null for nobody.",
      }),
    ),
  },
  { $id: "Secret", description: "The metadata of a secret.", examples: [secretExample] },
);
export type Secret = Static<typeof Secret>;

export const CreateSecretBody = Closed(
  { envelope: Envelope },
  {
    $id: "CreateSecretBody",
    description: "One envelope. Lifetime, claims and reference travel in the query string.",
    examples: [{ envelope: { version: 1, ciphertext: "fake-local-test-only" } }],
  },
);
export type CreateSecretBody = Static<typeof CreateSecretBody>;

export const CreateSecretQuery = Closed({
  expires_in: Lifetime(),
  max_claims: Times("Number of times the secret can be claimed."),
  claim_token_hash: TokenHash("claim token"),
  reference: Type.Optional(
    Reference("The ticket that this is about. It is stored unencrypted, and the whole team sees it: never a secret."),
  ),
  anonymous: Anonymous("`sender`"),
  for: For("claim it"),
  approval: Type.Optional(
    OneOf(APPROVERS, {
      description:
        "Who has to approve each claim: `sender`, or with `team` somebody else of the team. Each needs the scope `secrets:approve`.",
    }),
  ),
});
export type CreateSecretQuery = Static<typeof CreateSecretQuery>;

export const PatchSecretBody = Closed(
  {
    expires_in: Lifetime("Seconds from now until it expires. A value above the maximum of this server is rejected."),
    max_claims: Times(
      "The number of times it can be claimed in all. A value above the maximum of this server is rejected, and one that is not above `claims`.",
    ),
  },
  {
    $id: "PatchSecretBody",
    minProperties: 1,
    description: "Changes how long and how often a secret can be claimed.",
    examples: [{ expires_in: 604800 }],
  },
);
export type PatchSecretBody = Static<typeof PatchSecretBody>;

export const CreatedSecret = Closed(
  {
    ...Secret.properties,
    url: Type.String({
      pattern: URL_PATTERN,
      description: "The link of the secret, without the fragment that opens it.",
    }),
    claim_token: Type.Optional(
      Type.String({ description: "Returned exactly once; absent when the client sent a claim_token_hash." }),
    ),
  },
  {
    $id: "CreatedSecret",
    description: "The metadata of a new secret, its link and, unless the client made it, its claim token.",
    examples: [{ ...secretExample, url: `https://handoff.example/s/${exampleId("secret")}` }],
  },
);
export type CreatedSecret = Static<typeof CreatedSecret>;

export const ClaimedSecret = Closed(
  {
    secret: Secret,
    envelope: StoredEnvelope,
    replay_until: Nullable(
      Timestamp(
        "The end of the time in which the same Idempotency-Key gets this answer again; null without that header, or where claims cannot be repeated.",
      ),
    ),
  },
  {
    $id: "ClaimedSecret",
    description: "A secret handed over.",
    examples: [
      {
        secret: { ...secretExample, state: "claimed", claims: 1, ended_at: "2026-11-21T10:42:00.000Z" },
        envelope: { version: 1, ciphertext: "fake-local-test-only" },
        replay_until: "2026-11-21T10:47:00.000Z",
      },
    ],
  },
);
export type ClaimedSecret = Static<typeof ClaimedSecret>;

export const ClaimedLargeSecret = Closed(
  {
    secret: Secret,
    bytes: Type.Integer({ minimum: 1, description: "The length of the ciphertext, a binary age file." }),
    href: Type.String({
      pattern: URL_PATTERN,
      description:
        "Where the ciphertext is: GET it with the same credential and Idempotency-Key, in parts too (`Range`).",
    }),
    replay_until: Timestamp(
      "The end of the time in which it can be downloaded. Each download moves it on, to a day after the claim at most.",
    ),
  },
  {
    $id: "ClaimedLargeSecret",
    description: "A large secret handed over.",
    examples: [
      {
        secret: {
          ...secretExample,
          envelope_version: 2,
          ciphertext_bytes: 5368709120,
          ciphertext_format: "age",
          state: "claimed",
          claims: 1,
          ended_at: "2026-11-21T10:42:00.000Z",
        },
        bytes: 5368709120,
        href: `https://handoff.example/api/v1/secrets/${exampleId("secret")}/ciphertext`,
        replay_until: "2026-11-21T10:47:00.000Z",
      },
    ],
  },
);
export type ClaimedLargeSecret = Static<typeof ClaimedLargeSecret>;

export const UploadPath = PathOf("upload", "The id of the upload.");

const askExample = {
  id: exampleId("ask"),
  words: ["maple", "river", "nine"],
  state: "waiting",
  expires_at: "2026-11-21T10:30:00.000Z",
};

const ASK_MEMBERS = {
  id: Id("ask", "The id of the ask."),
  words: Words("Three English words, the same for both sides, to be compared on the phone."),
  expires_at: Timestamp("The end of the time in which it can be decided, or used once it is approved."),
};

/** What somebody asked for who wants to claim a secret. */
export const Ask = Closed(
  { ...ASK_MEMBERS, state: OneOf(ASK_STATES, { title: "AskState", description: "What was decided." }) },
  { $id: "Ask", description: "An ask for approval, for the person who asked.", examples: [askExample] },
);
export type Ask = Static<typeof Ask>;

export const APPROVAL_TOKEN_EXAMPLE = encodeToken("approval", new Uint8Array(TOKEN_ENTROPY_BYTES));

export const CreatedAsk = Closed(
  {
    ...Ask.properties,
    approval_token: Type.String({
      description: "Send it as Handoff-Approval. Returned exactly once.",
      examples: [APPROVAL_TOKEN_EXAMPLE],
    }),
  },
  {
    $id: "CreatedAsk",
    description: "A new ask for approval, with its token.",
    examples: [{ ...askExample, approval_token: APPROVAL_TOKEN_EXAMPLE }],
  },
);
export type CreatedAsk = Static<typeof CreatedAsk>;

/** An ask, as its approvers see it. */
export const PendingAsk = Closed(
  {
    ...ASK_MEMBERS,
    secret_id: Id("secret", "The secret to be claimed."),
    created_at: Timestamp("When the secret was stored."),
    sender: Nullable(PersonAs("The person who sent it, for their team; null for an automation.")),
    reference: Nullable(Reference("Its ticket.")),
    address: Nullable(Type.String({ description: "The address that the asker has proven; null for none." })),
    identity: Nullable(Id("identity", "The identity of the asker; null for the holder of the link.")),
    asked_at: Timestamp("When it was asked."),
  },
  {
    $id: "PendingAsk",
    description: "An ask for approval that waits.",
  },
);
export type PendingAsk = Static<typeof PendingAsk>;

export const AskList = Closed(
  { data: Type.Array(PendingAsk, { description: "Those that the caller may decide, oldest first." }) },
  { $id: "AskList", description: "The asks for approval that wait for the caller." },
);
export type AskList = Static<typeof AskList>;

export const DecideAskBody = Closed(
  {
    id: Id("ask", "The id of the ask."),
    state: OneOf(["approved", "refused"], { description: "The decision." }),
  },
  {
    $id: "DecideAskBody",
    description: "A decision about an ask for approval.",
    examples: [{ id: exampleId("ask"), state: "approved" }],
  },
);
export type DecideAskBody = Static<typeof DecideAskBody>;

export const SecretPath = PathOf("secret", "The id of the secret.");

export const WaitQuery = Closed({ wait: Wait("Respond when something changes, or after this many seconds.") });

export const ListSecretsQuery = ListQuery("secret", SECRET_STATES);
export type ListSecretsQuery = Static<typeof ListSecretsQuery>;

export const SecretPage = Page("secret", Secret, secretExample);
export type SecretPage = PageOf<Secret>;

/** The record of the claim of a large secret. */
export const largeClaim = {
  tag: "Secrets",
  summary: "Claim a large secret",
  description: "Uses up one claim of a secret with `envelope_version` 2, and says where its ciphertext is.",
  params: SecretPath,
  query: NoQuery,
  takesProof: true,
  takesApproval: true,
  needsIdempotencyKey: true,
  success: { status: 200, schema: ClaimedLargeSecret },
} as const;
