import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { listSecretEvents } from "../client/events.ts";
import type { HttpClient } from "../client/http-client.ts";
import { revokeRequest } from "../client/requests.ts";
import { listSecrets, revokeSecret } from "../client/secrets.ts";
import { checkAddressees, parseSecret } from "../client/shapes.ts";
import type { SeenEvent } from "../client/shapes.ts";
import { waitFor } from "../client/waits.ts";
import type { Wait } from "../client/waits.ts";
import { Closed, OneOf } from "../contract/fields.ts";
import { idPattern } from "../contract/ids.ts";
import { REFERENCE_PATTERN } from "../contract/patterns.ts";
import type { Secret } from "../contract/secrets.ts";
import { ACTOR_KINDS, APPROVERS, REQUEST_STATES, SECRET_STATES } from "../contract/states.ts";
import { Addressees, Link, OptionalReference, OptionalTime, RequestId, SecretId, State, Time } from "./schemas.ts";
import { defineTool, InputError } from "./tools.ts";

const LISTED = 50;
const MAX_WAIT_SECONDS = 3600;
/** The length of one waiting call. Between calls, the host gets a progress report. */
const STEP_SECONDS = 5;

const Status = Closed({
  id: SecretId,
  state: State(SECRET_STATES),
  created_at: Time,
  expires_at: Time,
  ended_at: OptionalTime,
  claims: Type.Integer({ description: "How often it has been opened." }),
  max_claims: Type.Integer(),
  request_id: Type.Union([RequestId, Type.Null()], { description: "The request that it was handed in for." }),
  reference: OptionalReference,
  for: Addressees,
  approval: Type.Union([...APPROVERS.map((each) => Type.Literal(each)), Type.Null()], {
    description: "Who has to approve each opening: its sender, or somebody else of the team; null for nobody.",
  }),
});
const WHAT = [
  "secret.created",
  "secret.changed",
  "secret.claimed",
  "secret.expired",
  "secret.revoked",
  "secret.proof_refused",
  "secret.approval_asked",
  "secret.approved",
  "secret.refused",
] as const;
const History = Type.Array(
  Closed({
    at: Time,
    what: OneOf(WHAT),
    by: Type.Union([OneOf(ACTOR_KINDS), Type.Null()], {
      description:
        "What it was done with: an API key, a session of a person, the link alone, or the link and a proven address; null for expiry.",
    }),
  }),
  { description: "What happened, oldest first, as far as the server keeps it." },
);
const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/** `secret_status` */
export const secretStatus = defineTool({
  name: "secret_status",
  title: "Get the state of a secret",
  description:
    "Says whether a secret can still be opened, was opened, expired or was revoked, and what happened when. Does not open " +
    "it. Give exactly one of `id` and `url`. With timeout_seconds it waits for as long until the secret can't be opened any more.",
  input: Closed({
    id: Type.Optional(SecretId),
    url: Type.Optional(Link),
    timeout_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: MAX_WAIT_SECONDS, description: "How long to wait; not at all by default." }),
    ),
  }),
  output: Closed({ ...Status.properties, history: History }),
  annotations: readOnly,
  scopes: ["secrets:read"],
  // Waits by calls for this secret, as wait_for_submission does.
  async run({ id: given, url, timeout_seconds: seconds = 0 }, { workspace, signal, report }) {
    checkOne(given, url);
    const { client, id } =
      url === undefined
        ? { client: await workspace.connect(signal), id: given ?? "" }
        : await workspace.connectByLink(url, signal);
    let reported = -1;
    const secret = await waitForEnd(client, id, {
      seconds,
      stepSeconds: STEP_SECONDS,
      signal,
      async onStep(passed) {
        // Progress must increase with every report.
        if (passed > reported) await report((reported = passed), seconds, "It can still be opened.");
      },
    });
    return { ...toStatus(secret), history: toHistory((await listSecretEvents(client, id)) ?? []) };
  },
});

/** Waits until a secret has ended, or the time is over, and returns its metadata. See `waitFor`. Throws ClientError. */
function waitForEnd(client: HttpClient, id: string, wait: Wait): Promise<Secret> {
  const look = async (step: number, until: AbortSignal) =>
    parseSecret(await client.call("getSecret", { id, ...(step > 0 ? { waitSeconds: step } : {}), until }), id);
  return waitFor(look, ({ state }) => state !== "available", wait);
}

/** Throws InputError unless exactly one is given. */
function checkOne(id: string | undefined, url: string | undefined): void {
  if ((id === undefined) === (url === undefined)) throw new InputError("Give exactly one of `id` and `url`.");
}

function toHistory(events: readonly SeenEvent[]): Static<typeof History> {
  return events.flatMap(({ type, created_at: at, actor }) => {
    // Event types of later servers are left out.
    const what = WHAT.find((each) => each === type);
    const by = ACTOR_KINDS.find((kind) => kind === actor?.kind) ?? null;
    return what === undefined ? [] : [{ at, what, by }];
  });
}

/** `list_secrets` */
export const listSecretStates = defineTool({
  name: "list_secrets",
  title: "List secrets",
  description: `Lists the newest ${LISTED} secrets of the team, or those about a ticket, with their states. Opens none.`,
  input: Closed({
    reference: Type.Optional(
      Type.String({ pattern: REFERENCE_PATTERN, description: "Only those about this ticket, letter for letter." }),
    ),
  }),
  output: Closed({ secrets: Type.Array(Status, { description: "Newest first." }) }),
  annotations: readOnly,
  scopes: ["secrets:read"],
  async run({ reference }, { workspace, signal }) {
    const secrets = await listSecrets(await workspace.connect(signal), { limit: LISTED, reference });
    return { secrets: secrets.map(toStatus) };
  },
});

/** `revoke_secret` */
export const revokeSecretOrRequest = defineTool({
  name: "revoke_secret",
  title: "Revoke a secret or request",
  description:
    "Revokes a secret or request: the secret cannot be opened any more, for the request nothing more can be handed in. " +
    "Cannot be undone. Give exactly one of `id` and `url`. A secret that was opened as often as it could be, or has expired, is an error that says so.",
  input: Closed({
    id: Type.Optional(
      Type.String({
        pattern: `^${idPattern("secret", "request")}$`,
        description: "The ID of a secret or of a request.",
      }),
    ),
    url: Type.Optional(Link),
  }),
  output: Closed({ id: Type.Union([SecretId, RequestId]), state: State([...SECRET_STATES, ...REQUEST_STATES]) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  scopes: ["secrets:revoke", "requests:revoke"],
  isAnyScopeEnough: true,
  async run({ id: given, url }, { workspace, signal }) {
    checkOne(given, url);
    const client = await workspace.connect(signal);
    const id = url === undefined ? (given ?? "") : workspace.idOfLink(url, client);
    const { state } = id.startsWith("req_") ? await revokeRequest(client, id) : await revokeSecret(client, id);
    return { id, state };
  },
});

/** Members of a secret that agents don't need. The compiler requires every member either here or in `Status`. */
type LeftOut = "envelope_version" | "ciphertext_bytes" | "ciphertext_format" | "created_by" | "sender";
type Status = Static<typeof Status>;

/** The status of a secret for an agent. Throws ClientError for people who aren't named by addresses. */
export function toStatus(secret: Secret): Status & Record<Exclude<keyof Secret, keyof Status | LeftOut>, never> {
  return {
    id: secret.id,
    state: secret.state,
    created_at: secret.created_at,
    expires_at: secret.expires_at,
    ended_at: secret.ended_at,
    claims: secret.claims,
    max_claims: secret.max_claims,
    request_id: secret.request_id,
    reference: secret.reference,
    for: secret.for && [...checkAddressees(secret.for)],
    approval: secret.approval,
  };
}
