import { ERROR_STATUSES, isErrorCode } from "../../contract/error-codes.ts";
import { ACCOUNT_OPERATIONS, APP_PREFIX } from "../../contract/operations.ts";
import type { PendingLogin } from "../../contract/persons.ts";
import { unexpected } from "../answers.ts";
import { ClientError } from "../errors.ts";
import { toClientError } from "../explanations.ts";
import { toNetworkError } from "../network-errors.ts";
import { membersOf, parsePendingLogin } from "../shapes.ts";

// For the page alone, which has the session of a person.

const ANSWER_TIMEOUT_MS = 30_000;

/** The terminal that waits with `code`, which is in small letters. Throws ClientError. */
export async function getPendingLogin(baseUrl: string, code: string): Promise<PendingLogin> {
  return parsePendingLogin(await call(baseUrl, "getLogin", code));
}

/** Lets the terminal in as the person of the session. Throws ClientError. */
export async function approveLogin(baseUrl: string, code: string): Promise<void> {
  await call(baseUrl, "approveLogin", code);
}

/** Refuses the terminal. Throws ClientError. */
export async function refuseLogin(baseUrl: string, code: string): Promise<void> {
  await call(baseUrl, "refuseLogin", code);
}

async function call(
  baseUrl: string,
  operation: "getLogin" | "approveLogin" | "refuseLogin",
  code: string,
): Promise<unknown> {
  const { method, path } = ACCOUNT_OPERATIONS[operation];
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(baseUrl + APP_PREFIX + path.replace("{id}", code), { method, signal });
    if (!answer.ok) throw await failureOf(answer);
    return answer.status === 204 ? undefined : await answer.json();
  } catch (error) {
    if (error instanceof ClientError) throw error;
    throw error instanceof SyntaxError ? unexpected() : toNetworkError(error, baseUrl);
  }
}

async function failureOf(answer: Response): Promise<ClientError> {
  const { code } = membersOf(await answer.json());
  const isOurs = typeof code === "string" && isErrorCode(code) && ERROR_STATUSES[code] === answer.status;
  return isOurs ? toClientError(code) : unexpected();
}
