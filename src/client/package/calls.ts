import { isId } from "../../contract/ids.ts";
import { APPROVERS } from "../../contract/states.ts";
import type { Approver } from "../../contract/states.ts";
import { parseTokenKind } from "../../contract/tokens.ts";
import { parseBaseUrl } from "../base-urls.ts";
import { ClientError } from "../errors.ts";
import { createHttpClient } from "../http-client.ts";
import type { HttpClient } from "../http-client.ts";
import { interrupted } from "../network-errors.ts";
import { toHandoffError, UsageError } from "./errors.ts";

/** Options of every function. */
export interface CallOptions {
  /** Ends the call when aborted: it rejects with InterruptedError, and its outcome is unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Allows unencrypted HTTP to other machines than this one. */
  readonly allowHttp?: boolean | undefined;
  /** Takes the place of the global `fetch`, such as one with a proxy or a certificate authority of its own. */
  readonly fetch?: ((url: string, init?: RequestInit) => Promise<Response>) | undefined;
}

/** Options of functions that need an API key. */
export interface AccessOptions extends CallOptions {
  /** The URL of the server, such as `https://handoff.example`. The API key is sent to no other. */
  readonly server: string;
  /** An API key of the team (`hak_…`). Without one, the call is refused. */
  readonly apiKey: string | undefined;
}

/** The time that one call waits: less than the minute after which proxies close a silent connection. @internal */
export const STEP_SECONDS = 50;

/** What `typeof` says of each option of any function. */
const TYPES_OF_OPTIONS = {
  signal: ["object"],
  allowHttp: ["boolean"],
  fetch: ["function"],
  server: ["string"],
  apiKey: ["string"],
  expiresIn: ["number"],
  maxClaims: ["number"],
  maxSubmissions: ["number"],
  waitSeconds: ["number"],
  passphrase: ["string", "function"],
  reference: ["string"],
  for: ["object"],
  approval: ["string"],
  onWords: ["function"],
  note: ["string"],
  fields: ["object"],
  compat: ["boolean"],
  idempotencyKey: ["string"],
  exactNames: ["boolean"],
  after: ["string"],
  follow: ["boolean"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Throws UsageError for options that only a program without types gives. @internal */
export function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null) {
    throw new UsageError("schema_mismatch", "The options must be an object.");
  }
  const given = options as Readonly<Record<string, unknown>>;
  for (const [name, types] of Object.entries(TYPES_OF_OPTIONS)) {
    const value = given[name];
    if (value === undefined || (value !== null && types.some((type) => type === typeof value))) continue;
    throw new UsageError("schema_mismatch", `The option ${name} must be: ${types.join(" or ")}.`);
  }
}

/** Throws ClientError for what isn't text, such as a URL object. @internal */
export function textOf(value: unknown, name: string): string {
  if (typeof value !== "string") throw wrong(`The ${name} must be a string.`);
  return value;
}

/** Throws ClientError for what isn't a list of texts. @internal */
export function addresseesOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || (Array.isArray(value) && value.every((each) => typeof each === "string"))) return value;
  throw wrong("The option for must be a list of addresses.");
}

/** Throws ClientError for anything but one of those who can approve. @internal */
export function approverOf(value: unknown): Approver | undefined {
  const approver = APPROVERS.find((each) => each === value);
  if (value === undefined || approver !== undefined) return approver;
  throw wrong(`The option approval must be one of: ${APPROVERS.join(", ")}.`);
}

/** A client of the team's server. Throws ClientError for a URL or a key that isn't one. @internal */
export function connect({ server, apiKey, signal, allowHttp = false, fetch }: AccessOptions): HttpClient {
  if (apiKey === undefined) throw new ClientError("credential_missing", "credential", "There is no API key.");
  const credential = apiKey.trim();
  if (parseTokenKind(credential) !== "apiKey") {
    const message = "This isn't an API key. An API key has 42 characters and starts with hak_.";
    throw new ClientError("credential_invalid", "credential", message);
  }
  return createHttpClient({
    baseUrl: parseBaseUrl(textOf(server, "server URL"), allowHttp),
    credential,
    signal,
    ...(fetch && { fetch }),
  });
}

/** A client of the server of a link. Throws ClientError. @internal */
export function connectByLink(
  { signal, allowHttp = false, fetch }: CallOptions,
  url: string,
  token: string,
): HttpClient {
  const baseUrl = parseBaseUrl(url, allowHttp);
  return createHttpClient({ baseUrl, credential: token, signal, isOfLink: true, ...(fetch && { fetch }) });
}

/** Throws ClientError for anything else, such as a link, whose key must not reach the server. @internal */
export function idOfSecret(text: string): string {
  if (!isId(text, "secret")) throw wrong("This isn't the ID of a secret or a request.");
  return text;
}

/** The error for a wrong argument. @internal */
export function wrong(message: string): ClientError {
  return new ClientError("schema_mismatch", "usage", message);
}

/** Runs a call of this kind. Its failures become HandoffErrors. @internal */
export async function explaining<T>(kind: "change" | "look", options: CallOptions, work: () => Promise<T>): Promise<T> {
  checkOptions(options);
  const { signal } = options;
  if (signal?.aborted) throw toHandoffError(interrupted(), "look", signal);
  try {
    return await work();
  } catch (error) {
    throw toHandoffError(error, kind, signal);
  }
}
