import type { Credential } from "../contract/credentials.ts";
import { SESSION_OPERATIONS, SESSION_PATH } from "../contract/operations.ts";
import type { SignInBody } from "../contract/sessions.ts";
import { membersOf } from "./members.ts";
import { parseCredential } from "./shapes.ts";

// For the page alone: the session is a cookie that the browser keeps, and no script sees.

const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Trades the token of a sign-in link for a session at the server at `baseUrl`. The same again with the same key is let in
 * again, because an answer may be lost. Resolves the answer; rejects as fetch does.
 */
export function signIn(
  baseUrl: string,
  { token, idempotencyKey }: { readonly token: string; readonly idempotencyKey: string },
): Promise<Response> {
  const body: SignInBody = { sign_in_token: token };
  return fetch(baseUrl + SESSION_PATH, {
    method: SESSION_OPERATIONS.signIn.method,
    headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
}

/** Ends the session of this browser. Resolves whether the server did; rejects as fetch does. */
export async function signOut(baseUrl: string): Promise<boolean> {
  const answer = await fetch(baseUrl + SESSION_PATH, {
    method: SESSION_OPERATIONS.signOut.method,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  return answer.ok;
}

/**
 * The credential of the session of this browser; null when nobody is signed in, and undefined when the server gave no answer
 * that says so. Never rejects. Asked in another way, a server refuses who has no session, and a browser logs that.
 */
export async function findSession(baseUrl: string): Promise<Credential | null | undefined> {
  try {
    const answer = await fetch(baseUrl + SESSION_PATH, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    if (!answer.ok) return undefined;
    const { credential } = membersOf(await answer.json());
    return credential === null ? null : parseCredential(credential);
  } catch {
    return undefined;
  }
}
