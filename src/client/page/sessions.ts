import type { Credential, SignInBody } from "../../contract/credentials.ts";
import { SESSION_OPERATIONS, SESSION_PATH } from "../../contract/operations.ts";
import { SIGN_IN_WAYS } from "../../contract/states.ts";
import type { SignInWay } from "../../contract/states.ts";
import { membersOf, parseCredential } from "../shapes.ts";

// For the page alone: the session is a cookie that the browser keeps and scripts can't read.

const ANSWER_TIMEOUT_MS = 30_000;

/** Trades a sign-in token for a session. It can be repeated with the same key. Rejects as fetch does. */
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

/** Ends the session of this browser. Resolves true when the server has ended it; rejects as fetch does. */
export async function signOut(baseUrl: string): Promise<boolean> {
  const answer = await fetch(baseUrl + SESSION_PATH, {
    method: SESSION_OPERATIONS.signOut.method,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  return answer.ok;
}

/** What a server says about the session of a browser. */
export interface FoundSession {
  /** Null when nobody is signed in. */
  readonly credential: Credential | null;
  /** The ways to sign in that the server has, without those that this version doesn't know. */
  readonly ways: readonly SignInWay[];
  /** True when the person can ask for mails. */
  readonly sendsMails: boolean;
}

/**
 * The session of this browser; undefined when the server gave no valid answer. Never rejects. Other operations would
 * answer 401 without a session, which a browser logs as an error.
 */
export async function findSession(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
): Promise<FoundSession | undefined> {
  try {
    const answer = await fetch(baseUrl + SESSION_PATH, { headers, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    if (!answer.ok) return undefined;
    const { credential, ways, sends_mails: sendsMails } = membersOf(await answer.json());
    const named: readonly unknown[] = Array.isArray(ways) ? ways : [];
    return {
      credential: credential === null ? null : parseCredential(credential),
      ways: SIGN_IN_WAYS.filter((way) => named.includes(way)),
      sendsMails: sendsMails === true,
    };
  } catch {
    return undefined;
  }
}
