import { API_PREFIX, LOGIN_OPERATIONS } from "../../contract/operations.ts";
import type { BegunLogin, LoginAnswer } from "../../contract/persons.ts";
import { unexpected } from "../answers.ts";
import { ClientError } from "../errors.ts";
import type { Fetch } from "../http-client.ts";
import { toNetworkError } from "../network-errors.ts";
import { parseBegunLogin, parseLoginAnswer } from "../shapes.ts";
import { readBody } from "../transfers.ts";

const MAX_ANSWER_BYTES = 16 * 1024;
const PATIENCE_MS = 30_000;

/** The server to log in to. */
export interface LoginServer {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
}

/** Begins the login of this terminal (RFC 8628), which `machine` names for the person. Throws ClientError. */
export async function beginLogin(server: LoginServer, machine: string): Promise<BegunLogin> {
  const { status, json } = await call(server, LOGIN_OPERATIONS.beginLogin, { machine });
  if (status === 404 || status === 405) {
    throw new ClientError("unexpected_answer", "failure", {
      meaning: "This server has no login by the browser.",
      advice: "Log in with an API key, or ask your admin for a newer version.",
    });
  }
  if (status !== LOGIN_STATUSES.begun) throw refusalOf(status);
  return parseBegunLogin(json);
}

/** The person's decision on a login; undefined when the server can't say at the moment. Throws ClientError. */
export async function pollLogin(server: LoginServer, deviceCode: string): Promise<LoginAnswer | undefined> {
  const { status, json } = await call(server, LOGIN_OPERATIONS.pollLogin, { device_code: deviceCode });
  if (status === 429 || status >= 500) return undefined;
  if (status === 401) {
    throw new ClientError("credential_expired", "credential", {
      meaning: "Nobody let this terminal in while the code was valid.",
      advice: "Run the command again.",
    });
  }
  if (status !== LOGIN_STATUSES.answered) throw refusalOf(status);
  return parseLoginAnswer(json);
}

/** Ends the login of a terminal. Resolves false when the server didn't. */
export async function endLogin({ baseUrl, fetch }: Omit<LoginServer, "signal">, apiKey: string): Promise<boolean> {
  const { method, path } = LOGIN_OPERATIONS.endLogin;
  try {
    const headers = { authorization: `Bearer ${apiKey}` };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { status } = await fetch(baseUrl + API_PREFIX + path, { method, headers, redirect: "manual", signal });
    return status === 204 || status === 401;
  } catch {
    return false;
  }
}

const LOGIN_STATUSES = { begun: 201, answered: 200 } as const;

function refusalOf(status: number): ClientError {
  if (status !== 429) return unexpected();
  return new ClientError("rate_limited", "failure", {
    meaning: "Too many logins began from this address.",
    advice: "Try again in a minute.",
  });
}

async function call(
  { baseUrl, fetch, signal }: LoginServer,
  { method, path }: { readonly method: string; readonly path: string },
  body: object,
): Promise<{ readonly status: number; readonly json: unknown }> {
  try {
    const response = await fetch(baseUrl + API_PREFIX + path, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    const text = await readBody(response, MAX_ANSWER_BYTES, { onBytes: () => undefined, onProgress: undefined });
    return { status: response.status, json: response.ok ? parse(text) : undefined };
  } catch (error) {
    if (error instanceof ClientError) throw error;
    throw toNetworkError(error, baseUrl);
  }
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    throw unexpected();
  }
}
