import { answerSchema } from "../../contract/answer-schemas.ts" with { type: "macro" };
import { ERROR_STATUSES, isErrorCode } from "../../contract/error-codes.ts";
import { ACCOUNT_OPERATIONS, APP_PREFIX } from "../../contract/operations.ts";
import type { Notices, NoticesBody, Passkey } from "../../contract/persons.ts";
import { unavailable, unexpected } from "../answers.ts";
import { ClientError } from "../errors.ts";
import { toClientError } from "../explanations.ts";
import type { Fetch } from "../http-client.ts";
import { toNetworkError } from "../network-errors.ts";
import { listOf, membersOf, parseBySchema } from "../shapes.ts";

// For the page alone, like the session that these calls are made with.

const ANSWER_TIMEOUT_MS = 30_000;

const SESSION = answerSchema("Session");
const PASSKEY = answerSchema("Passkey");
const NOTICES = answerSchema("Notices");

/** A session of the page as the page has it. */
export type SeenSession = NonNullable<(typeof SESSION)["answer"]>;

/** The calls of a person about their own account. All of them reject with ClientError, and none is retried. */
export interface AccountClient {
  /** The sessions of the person, the last used first. */
  listSessions(): Promise<SeenSession[]>;
  /** Ends a session. One that is over already is no error. */
  endSession(id: string): Promise<void>;
  /** Ends every session but the one of this browser. */
  endOtherSessions(): Promise<void>;
  /** The passkeys of the person, oldest first. */
  listPasskeys(): Promise<Passkey[]>;
  /** Begins adding a passkey. Resolves with the options for the browser, unchecked. */
  beginAddingPasskey(): Promise<object>;
  /** Adds the passkey that the browser has made for these options. */
  addPasskey(answer: object, language: string): Promise<void>;
  /** Removes a passkey. One that is gone already is no error. */
  removePasskey(id: string): Promise<void>;
  /** The mails that the person wants. */
  findNotices(): Promise<Notices>;
  /** Changes them, and resolves with them after that. */
  setNotices(change: NoticesBody): Promise<Notices>;
}

interface Call {
  readonly id?: string;
  readonly body?: object;
}

/** Creates the client of the server at `baseUrl`, which makes its calls with `fetch`. */
export function createAccountClient(baseUrl: string, fetch: Fetch): AccountClient {
  const call = async (operation: keyof typeof ACCOUNT_OPERATIONS, { id = "", body }: Call = {}): Promise<unknown> => {
    const { method, path } = ACCOUNT_OPERATIONS[operation];
    const answer = await fetch(baseUrl + APP_PREFIX + path.replace("{id}", encodeURIComponent(id)), {
      method,
      headers: { accept: "application/json, application/problem+json", ...(body && JSON_TYPE) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw toNetworkError(error, baseUrl);
    });
    if (!answer.ok) throw await toError(answer);
    return answer.status === 204 ? undefined : readJson(answer);
  };
  const end = (ending: Promise<unknown>) => ending.then(() => undefined, ignoreGone);
  return {
    listSessions: async () => listOf(membersOf(await call("listSessions"))["data"], parseSession),
    endSession: (id) => end(call("endSession", { id })),
    endOtherSessions: () => end(call("endOtherSessions")),
    listPasskeys: async () => listOf(membersOf(await call("listPasskeys"))["data"], parsePasskey),
    beginAddingPasskey: async () => membersOf(membersOf(await call("beginAddingPasskey"))["options"]),
    addPasskey: async (passkey, language) =>
      void parsePasskey(await call("addPasskey", { body: { passkey, language } })),
    findNotices: async () => parseNotices(await call("getNotices")),
    setNotices: async (change) => parseNotices(await call("setNotices", { body: change })),
    removePasskey: (id) => end(call("removePasskey", { id })),
  };
}

const parseSession = (value: unknown) => parseBySchema(SESSION, value);
const parseNotices = (value: unknown) => parseBySchema(NOTICES, value);
const parsePasskey = (value: unknown) => parseBySchema(PASSKEY, value);

const JSON_TYPE = { "content-type": "application/json" };

/** The error that an answer with an error status stands for. */
async function toError(answer: Response) {
  const problem: unknown = await answer.json().catch(() => undefined);
  const code = typeof problem === "object" && problem !== null && "code" in problem ? problem.code : undefined;
  if (typeof code === "string" && isErrorCode(code) && ERROR_STATUSES[code] === answer.status)
    return toClientError(code);
  return answer.status >= 500 ? unavailable(answer.status) : unexpected();
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    throw unexpected();
  }
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof ClientError && error.code === "not_found")) throw error;
}
