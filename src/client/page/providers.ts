import type { OidcSignInBody, SignInBody } from "../../contract/credentials.ts";
import { OIDC_SIGN_IN, SESSION_OPERATIONS, SESSION_PATH } from "../../contract/operations.ts";

// For the page alone. The browser keeps the attempt in a cookie that scripts can't read.

/** The server may call the provider several times, and waits some seconds for each answer. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Begins a sign-in at the provider. The answer has the address to go to. Rejects as fetch does. */
export function beginProviderSignIn(baseUrl: string, body: OidcSignInBody): Promise<Response> {
  return post(baseUrl + OIDC_SIGN_IN.path, OIDC_SIGN_IN.method, body);
}

/** Trades the query that the provider sent the browser back with for a session. Rejects as fetch does. */
export function signInWithProvider(baseUrl: string, query: string): Promise<Response> {
  const body: SignInBody = { oidc: { query } };
  return post(baseUrl + SESSION_PATH, SESSION_OPERATIONS.signIn.method, body);
}

function post(url: string, method: string, body: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
}
