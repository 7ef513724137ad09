import { Type } from "@sinclair/typebox";
import type { Static } from "@sinclair/typebox";
import { revokeRequest } from "../client/requests.ts";
import { getSecret, listSecrets, revokeSecret } from "../client/secrets.ts";
import { idPattern } from "../contract/ids.ts";
import { REFERENCE_PATTERN } from "../contract/patterns.ts";
import { RequestState } from "../contract/requests.ts";
import { SecretState } from "../contract/secrets.ts";
import type { Secret } from "../contract/secrets.ts";
import { Closed, OptionalReference, OptionalTime, RequestId, SecretId, Time } from "./schemas.ts";
import { defineTool } from "./tools.ts";

const LISTED = 50;

const Status = Closed({
  id: SecretId,
  state: SecretState,
  created_at: Time,
  expires_at: Time,
  ended_at: OptionalTime,
  claims: Type.Integer({ description: "How often it has been opened." }),
  max_claims: Type.Integer(),
  request_id: Type.Union([RequestId, Type.Null()], { description: "The request that it was handed in for." }),
  reference: OptionalReference,
});
const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

/** `secret_status` */
export const secretStatus = defineTool({
  name: "secret_status",
  title: "Get the state of a secret",
  description: "Says whether a secret can still be opened, was opened, expired or was revoked. Does not open it.",
  input: Closed({ id: SecretId }),
  output: Status,
  annotations: readOnly,
  scopes: ["secrets:read"],
  run: async ({ id }, { workspace, signal }) => toStatus(await getSecret(await workspace.connect(signal), id)),
});

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
    "Cannot be undone. A secret that was opened as often as it could be, or has expired, is an error that says so.",
  input: Closed({
    id: Type.String({
      pattern: `^${idPattern("secret", "request")}$`,
      description: "The ID of a secret or of a request.",
    }),
  }),
  output: Closed({ id: Type.Union([SecretId, RequestId]), state: Type.Union([SecretState, RequestState]) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  scopes: ["secrets:revoke", "requests:revoke"],
  isAnyScopeEnough: true,
  async run({ id }, { workspace, signal }) {
    const client = await workspace.connect(signal);
    const { state } = id.startsWith("req_") ? await revokeRequest(client, id) : await revokeSecret(client, id);
    return { id, state };
  },
});

/** Members of a secret that are of no use to an agent. The compiler wants a new one either here or in `Status`. */
type LeftOut = "envelope_version" | "ciphertext_bytes" | "ciphertext_format" | "created_by" | "sender";
type Status = Static<typeof Status>;

function toStatus(secret: Secret): Status & Record<Exclude<keyof Secret, keyof Status | LeftOut>, never> {
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
  };
}
