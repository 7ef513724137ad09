import type { SignInBody } from "../../contract/credentials.ts";
import { PASSKEY_SIGN_IN, SESSION_OPERATIONS, SESSION_PATH } from "../../contract/operations.ts";

// For the page alone. The browser keeps the attempt in a cookie that scripts can't read.

const ANSWER_TIMEOUT_MS = 30_000;

/** Begins a sign-in with a passkey. The answer has the options for the browser. Rejects as fetch does. */
export function beginPasskeySignIn(baseUrl: string): Promise<Response> {
  const { method, path } = PASSKEY_SIGN_IN;
  return fetch(baseUrl + path, { method, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
}

/** Trades what the browser answered to these options for a session. Rejects as fetch does. */
export function signInWithPasskey(baseUrl: string, passkey: object): Promise<Response> {
  const body: SignInBody = { passkey };
  return fetch(baseUrl + SESSION_PATH, {
    method: SESSION_OPERATIONS.signIn.method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
}
