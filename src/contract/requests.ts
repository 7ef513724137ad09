import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { NoteEnvelope, StoredEnvelope } from "./envelopes.ts";
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
} from "./fields.ts";
import type { PageOf } from "./fields.ts";
import { exampleId } from "./ids.ts";
import { MAX_CLAIMS } from "./limits.ts";
import { RECIPIENT_PATTERN, URL_PATTERN } from "./patterns.ts";
import { PersonAs } from "./persons.ts";
import { SecretState, UploadPath } from "./secrets.ts";
import { REQUEST_STATES } from "./states.ts";

const RequestState = OneOf(REQUEST_STATES, {
  title: "RequestState",
  description: "`open`, `paused`, or the end it came to. An ended state is never left.",
});

const RECIPIENT_EXAMPLE = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
const Recipient = Type.String({
  pattern: RECIPIENT_PATTERN,
  description:
    "The age recipient that submissions are encrypted to: X25519 (`age1…`) or hybrid (`age1pq1…`), in Bech32 (BIP 173) " +
    "without a limit of length. The last 6 characters are its checksum; a recipient whose checksum is wrong is rejected.",
  examples: [RECIPIENT_EXAMPLE],
});

const common = {
  id: Id("request", "The id of the request."),
  state: RequestState,
  recipient: Recipient,
  created_at: Timestamp("When it was made."),
  expires_at: Timestamp("When it stops accepting submissions."),
  max_submissions: Type.Integer({
    minimum: MAX_CLAIMS.min,
    description: "The number of secrets that can be handed in.",
  }),
  submission_count: Type.Integer({ minimum: 0, description: "The number of secrets handed in." }),
};
const ended = {
  ended_at: Nullable(Timestamp("When it was fulfilled, expired or revoked.")),
  created_by: Nullable(Id("identity", "The identity that made it.")),
  reference: Nullable(Reference("The ticket of the request. Its submissions have the same.")),
  for: Addressees("hand in"),
};

const requestExample = {
  id: exampleId("request"),
  state: "open",
  recipient: RECIPIENT_EXAMPLE,
  created_at: "2026-11-21T09:30:00.000Z",
  expires_at: "2026-11-28T09:30:00.000Z",
  max_submissions: 1,
  submission_count: 0,
};
const openExample = { ended_at: null, created_by: exampleId("identity"), reference: null, for: null };
const summaryExample = { ...requestExample, ...openExample };
const wholeExample = { ...requestExample, submissions: [], ...openExample };

/** A request in a list, without its submissions. */
export const RequestSummary = Closed(
  { ...common, ...ended },
  {
    $id: "RequestSummary",
    description: "A request in a list.",
    examples: [summaryExample],
  },
);
export type RequestSummary = Static<typeof RequestSummary>;

export const Submission = Closed(
  {
    secret_id: Id("secret", "The secret that was handed in. It is claimed like any other."),
    state: SecretState,
    created_at: Timestamp("When it was handed in."),
  },
  { $id: "Submission", description: "A secret that was handed in." },
);
export type Submission = Static<typeof Submission>;

/** The metadata of one request, contract section 5. What does not apply is null, never absent. */
export const RequestMetadata = Closed(
  { ...common, submissions: Type.Array(Submission, { description: "The submissions, oldest first." }), ...ended },
  {
    $id: "Request",
    description: "The metadata of a request.",
    examples: [wholeExample],
  },
);
export type RequestMetadata = Static<typeof RequestMetadata>;

export const CreateRequestBody = Closed(
  { recipient: Recipient, note: Type.Optional(NoteEnvelope) },
  {
    $id: "CreateRequestBody",
    description:
      "The recipient of submissions, and a sealed note for the person who is asked. The key to the note is in the link.",
    examples: [{ recipient: RECIPIENT_EXAMPLE }],
  },
);
export type CreateRequestBody = Static<typeof CreateRequestBody>;

export const CreateRequestQuery = Closed({
  expires_in: Lifetime(),
  max_submissions: Times("The number of secrets that can be handed in; one by default."),
  submit_token_hash: TokenHash("submit token"),
  reference: Type.Optional(
    Reference("The ticket that this is about. It is stored unencrypted, and the whole team sees it: never a secret."),
  ),
  anonymous: Anonymous("`asked_by`"),
  for: For("hand in"),
});
export type CreateRequestQuery = Static<typeof CreateRequestQuery>;

export const CreatedRequest = Closed(
  {
    ...RequestMetadata.properties,
    url: Type.String({ pattern: URL_PATTERN, description: "The link of the request, without the fragment." }),
    submit_token: Type.Optional(
      Type.String({ description: "Returned exactly once; absent when the client sent a submit_token_hash." }),
    ),
  },
  {
    $id: "CreatedRequest",
    description: "The metadata of a new request, its link and, unless the client made it, its submit token.",
    examples: [
      {
        ...wholeExample,
        url: `https://handoff.example/r/${exampleId("request")}`,
      },
    ],
  },
);
export type CreatedRequest = Static<typeof CreatedRequest>;

export const Invitation = Closed(
  {
    recipient: Recipient,
    note: Nullable(StoredEnvelope),
    expires_at: common.expires_at,
    submissions_left: Type.Integer({ minimum: 1, description: "The number of secrets that can still be handed in." }),
    asked_by: Nullable(
      PersonAs(
        "The signed-in person who asks, as the server says. Null for an automation, and for an anonymous person.",
      ),
    ),
    for: Addressees("hand in"),
  },
  {
    $id: "Invitation",
    description:
      "The part of a request that the holder of its link sees. Compare the recipient with the pin in the link.",
    examples: [
      {
        recipient: RECIPIENT_EXAMPLE,
        note: { version: 1, ciphertext: "fake-local-test-only" },
        expires_at: "2026-11-28T09:30:00.000Z",
        submissions_left: 1,
        asked_by: { name: "Ann Lee", address: "ann@example.com", team: "platform" },
        for: null,
      },
    ],
  },
);
export type Invitation = Static<typeof Invitation>;

export const SubmittedSecret = Closed(
  { secret_id: Id("secret", "The id of the submission."), state: SecretState },
  {
    $id: "SubmittedSecret",
    description: "The receipt of a submission: it is on disk.",
    examples: [{ secret_id: exampleId("secret"), state: "available" }],
  },
);
export type SubmittedSecret = Static<typeof SubmittedSecret>;

export const PatchRequestBody = Closed(
  {
    state: OneOf(["open", "paused"], {
      description: "A paused request accepts no submissions.",
    }),
  },
  {
    $id: "PatchRequestBody",
    description: "Pauses or resumes a request.",
    examples: [{ state: "paused" }],
  },
);
export type PatchRequestBody = Static<typeof PatchRequestBody>;

export const RequestPath = PathOf("request", "The id of the request.");

export const ListRequestsQuery = ListQuery("request", REQUEST_STATES);
export type ListRequestsQuery = Static<typeof ListRequestsQuery>;

export const RequestPage = Page("request", RequestSummary, summaryExample);
export type RequestPage = PageOf<RequestSummary>;

/** The operation that hands in a complete upload. */
export const largeSubmission = {
  tag: "Requests",
  summary: "Hand in an upload",
  description:
    "Hands in a complete upload that was begun with the same submit token. Otherwise as `POST /requests/{id}/submissions`; the proof of an address was taken when the upload began.",
  params: UploadPath,
  query: NoQuery,
  success: { status: 201, schema: SubmittedSecret },
} as const;
