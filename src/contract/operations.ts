import type { Scope } from "./scopes.ts";
import type { TokenKind } from "./tokens.ts";

/** What a caller must bring to an operation under `/api/v1`, and what the operation takes. */
export interface Operation {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with its parameters in braces, as OpenAPI writes it. */
  readonly path: string;
  /** The scope that an API key needs; null when any live credential will do. */
  readonly scope: Scope | null;
  /** The kind of link token that is accepted instead of a key, for the thing that the path names. */
  readonly token: Exclude<TokenKind, "apiKey" | "human"> | "any" | null;
  /** Whether an API key is no credential for it, whatever its scopes. */
  readonly tokenOnly?: true;
  /** Whether the operation takes a JSON body; where it does not, a body is refused. */
  readonly body: boolean;
}

/** Every operation of the API, contract section 5, by operationId. A route that is not here does not exist. */
export const OPERATIONS = {
  createSecret: { method: "POST", path: "/api/v1/secrets", scope: "secrets:create", token: null, body: true },
  listSecrets: { method: "GET", path: "/api/v1/secrets", scope: "secrets:read", token: null, body: false },
  getSecret: { method: "GET", path: "/api/v1/secrets/{id}", scope: "secrets:read", token: "claim", body: false },
  claimSecret: {
    method: "POST",
    path: "/api/v1/secrets/{id}/claim",
    scope: "secrets:claim",
    token: "claim",
    body: false,
  },
  acknowledgeClaim: {
    method: "POST",
    path: "/api/v1/secrets/{id}/acknowledgement",
    scope: "secrets:claim",
    token: "claim",
    body: false,
  },
  revokeSecret: { method: "DELETE", path: "/api/v1/secrets/{id}", scope: "secrets:revoke", token: null, body: false },
  createRequest: { method: "POST", path: "/api/v1/requests", scope: "requests:create", token: null, body: true },
  listRequests: { method: "GET", path: "/api/v1/requests", scope: "requests:read", token: null, body: false },
  getRequest: { method: "GET", path: "/api/v1/requests/{id}", scope: "requests:read", token: null, body: false },
  getInvitation: {
    method: "GET",
    path: "/api/v1/requests/{id}/invitation",
    scope: null,
    token: "submit",
    tokenOnly: true,
    body: false,
  },
  submitSecret: {
    method: "POST",
    path: "/api/v1/requests/{id}/submissions",
    scope: null,
    token: "submit",
    tokenOnly: true,
    body: true,
  },
  patchRequest: { method: "PATCH", path: "/api/v1/requests/{id}", scope: "requests:revoke", token: null, body: true },
  revokeRequest: {
    method: "DELETE",
    path: "/api/v1/requests/{id}",
    scope: "requests:revoke",
    token: null,
    body: false,
  },
  listEvents: { method: "GET", path: "/api/v1/events", scope: "events:read", token: null, body: false },
  getCredential: { method: "GET", path: "/api/v1/credential", scope: null, token: "any", body: false },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;

/** Every operationId, in the order of the contract. */
export const OPERATION_IDS = Object.keys(OPERATIONS).filter((id): id is OperationId => Object.hasOwn(OPERATIONS, id));
