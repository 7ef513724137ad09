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
    const found = await readSession(baseUrl, headers);
    if (found === undefined) return undefined;
    const { credential, sends_mails: sendsMails } = found;
    return {
      credential: credential === null ? null : parseCredential(credential),
      ways: waysOf(found),
      sendsMails: sendsMails === true,
    };
  } catch {
    return undefined;
  }
}

/**
 * The name of the person who is signed in in this browser, undefined for nobody, and the ways to sign in; undefined
 * when the server gave no valid answer. Never rejects.
 */
export async function findOwnName(
  baseUrl: string,
): Promise<{ readonly name: string | undefined; readonly ways: readonly SignInWay[] } | undefined> {
  try {
    const found = await readSession(baseUrl, {});
    if (found === undefined) return undefined;
    const { credential } = found;
    const name = credential === null ? undefined : membersOf(membersOf(credential)["identity"])["name"];
    return { name: typeof name === "string" ? name : undefined, ways: waysOf(found) };
  } catch {
    return undefined;
  }
}

async function readSession(baseUrl: string, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(baseUrl + SESSION_PATH, { headers, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  return answer.ok ? membersOf(await answer.json()) : undefined;
}

function waysOf({ ways }: Readonly<Record<string, unknown>>): readonly SignInWay[] {
  const named: readonly unknown[] = Array.isArray(ways) ? ways : [];
  return SIGN_IN_WAYS.filter((way) => named.includes(way));
}
