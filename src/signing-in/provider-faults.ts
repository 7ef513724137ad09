import { errors } from "jose";
import * as client from "openid-client";
import type { ProviderFault } from "../domain/ports/providers.ts";

/** A ProviderFault, or what an answer of the browser lacks. It has no message: those of libraries quote answers. */
interface Fault extends ProviderFault {
  /** True when the provider answered as it should, and the answer proves nothing. */
  readonly isOfProof: boolean;
}

/** Errors in which the answer of the provider or browser is at fault, and not its proof. */
const UNREACHABLE = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_HTTP_REQUEST_FORBIDDEN",
  "OAUTH_MISSING_SERVER_METADATA",
  "OAUTH_INVALID_SERVER_METADATA",
  "OAUTH_PARSE_ERROR",
]);

/** What a provider answers to a client that it doesn't know, or to a wrong secret. Keycloak has the other one. */
const CLIENT_REFUSALS = new Set(["invalid_client", "unauthorized_client"]);

/** The errors that a provider sends a browser back with (RFC 6749, OpenID Connect Core 1.0). Any other is input. */
const REFUSALS = new Set(
  "access_denied account_selection_required consent_required interaction_required invalid_request invalid_scope login_required server_error temporarily_unavailable unauthorized_client unsupported_response_type".split(
    " ",
  ),
);

const OTHER_ISSUER = "The provider calls itself otherwise. Give --oidc-issuer exactly as it does.";

/** The sentences about faults whose code says too little. */
const REASONS: Readonly<Record<string, string>> = {
  CLIENT_REFUSED:
    "The provider refuses the client ID or its secret. Check --oidc-client-id and --oidc-client-secret-file.",
  ERR_JWKS_NO_MATCHING_KEY: "The provider publishes no key that its ID token could be signed with.",
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "The signature of the ID token is wrong.",
  NO_KEYS: "The provider doesn't say where its keys are.",
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: OTHER_ISSUER,
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: "The ID token has expired, or isn't valid yet. Check both clocks.",
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: "The ID token is for another server, or another sign-in.",
  OTHER_ISSUER,
};

/** The `reason` is needed for codes that have no sentence above. */
export function providerFault(code: string, reason = reasonOf(code, false), isOfProof = false): Fault {
  return Object.assign(new Error(""), { name: "ProviderFault", code, reason, isOfProof });
}

export function isProviderFault(error: unknown): error is Fault {
  return error instanceof Error && error.name === "ProviderFault";
}

/**
 * The fault behind an error of the libraries, without their messages, which quote answers. `proves` is false for
 * answers in which nothing is proved, such as the provider's document.
 */
export function faultOf(error: unknown, proves = true): Fault {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isProviderFault(cause)) return cause;
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN";
  const faultFor = (isDoubtful: boolean, reason?: string) => {
    const isOfProof = isDoubtful && proves;
    return providerFault(code, reason ?? reasonOf(code, isOfProof), isOfProof);
  };
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return faultFor(false);
  // Thrown as such by jose when the keys can't be read.
  if (error instanceof errors.JOSEError) return faultFor(code !== "ERR_JOSE_GENERIC");
  if (error instanceof client.AuthorizationResponseError) {
    const said = REFUSALS.has(error.error) ? `: ${error.error}` : "";
    return faultFor(true, `The provider refused the sign-in${said}.`);
  }
  if (error instanceof client.ResponseBodyError) {
    if (error.error === "invalid_grant") return faultFor(true, "The provider doesn't take the code of the browser.");
    return faultFor(false, `The provider gives no tokens${REFUSALS.has(error.error) ? `: ${error.error}` : ""}.`);
  }
  if (error instanceof client.ClientError) return faultFor(!UNREACHABLE.has(code));
  return faultFor(false);
}

function reasonOf(code: string, isOfProof: boolean): string {
  const other = isOfProof
    ? "The provider's answer can't be verified"
    : "The provider doesn't answer as OpenID Connect says";
  return REASONS[code] ?? `${other} (${code}).`;
}

/** True for the answer of a provider to a client that it doesn't know, or to a wrong secret. */
export function isClientRefusal(error: unknown): boolean {
  if (error instanceof client.WWWAuthenticateChallengeError) return true;
  return error instanceof client.ResponseBodyError && CLIENT_REFUSALS.has(error.error);
}
