import type { MailBody, SignInBody } from "../../contract/credentials.ts";
import { MAIL_SIGN_IN, SESSION_OPERATIONS, SESSION_PATH } from "../../contract/operations.ts";

// For the page alone. The browser keeps the attempt in a cookie that scripts can't read.

const ANSWER_TIMEOUT_MS = 30_000;

/** Asks for a code by mail. The answer is the same for every address. Rejects as fetch does. */
export function askForCode(baseUrl: string, body: MailBody): Promise<Response> {
  return post(baseUrl + MAIL_SIGN_IN.path, MAIL_SIGN_IN.method, body);
}

/** Trades a code of eight digits for a session. Rejects as fetch does. */
export function signInWithCode(baseUrl: string, code: string): Promise<Response> {
  const body: SignInBody = { mail: { code } };
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
