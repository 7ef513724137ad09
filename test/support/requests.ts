import { authenticate } from "../../src/domain/callers.ts";
import type { Caller, SubmitTokenCaller } from "../../src/domain/callers.ts";
import {
  createRequest,
  getInvitation,
  getRequest,
  listRequests,
  revokeRequest,
  setRequestState,
  submitSecret,
} from "../../src/domain/requests.ts";
import type { Invitation, RequestWithSubmissions, SubmittedSecret } from "../../src/domain/requests.ts";
import type { ServerPolicy } from "../../src/domain/server-policies.ts";
import type { Service } from "../../src/domain/service.ts";

/** An age recipient. Nobody holds its key. */
export const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

interface AskOptions {
  /** The ciphertext of the note. */
  readonly note?: string;
  readonly maxSubmissions?: number;
  readonly reference?: string;
  /** Seconds; an hour without it. */
  readonly expiresIn?: number;
  readonly idempotencyKey?: string;
}

/** A request, and the token of its link. */
export interface AskedRequest {
  readonly id: string;
  readonly submitToken: string;
}

/** The calls of a requester and of the holder of the link. */
export interface TestRequests {
  ask(options?: AskOptions): Promise<AskedRequest>;
  submit(submitToken: string, ciphertext: string, idempotencyKey?: string): Promise<SubmittedSecret>;
  invitation(submitToken: string): Promise<Invitation>;
  turn(id: string, state: "open" | "paused"): Promise<RequestWithSubmissions>;
  revoke(id: string): Promise<RequestWithSubmissions>;
  find(id: string): Promise<RequestWithSubmissions>;
  list(state?: "open" | "expired"): ReturnType<typeof listRequests>;
}

/** The rules of requests, called as `caller`; `policy` is that of the server unless another is given. */
export function requestsOf(
  { backend, caller }: { readonly backend: { readonly service: Service }; readonly caller: Caller },
  policy?: ServerPolicy,
): TestRequests {
  const deps = () => ({ ...backend.service, policy: policy ?? backend.service.policy });
  const call = (idempotencyKey?: string) => ({ idempotencyKey, path: "/api/v1/requests" });
  const submitter = async (token: string): Promise<SubmitTokenCaller> => {
    const holder = await authenticate(backend.service, token, undefined);
    if (holder.kind !== "submit") throw new Error("not a submit token");
    return holder;
  };
  return {
    async ask({ note, maxSubmissions = 1, expiresIn = 3600, idempotencyKey, reference } = {}) {
      const { request, submitToken = "" } = await createRequest(deps(), caller, {
        body: { recipient: RECIPIENT, ...(note === undefined ? {} : { note: { version: 1, ciphertext: note } }) },
        query: { max_submissions: maxSubmissions, expires_in: expiresIn, ...(reference && { reference }) },
        call: call(idempotencyKey),
      });
      return { id: request.id, submitToken };
    },
    submit: async (token, ciphertext, idempotencyKey) =>
      submitSecret(deps(), await submitter(token), {
        envelope: { version: 1, ciphertext },
        call: call(idempotencyKey),
      }),
    invitation: async (token) => getInvitation(deps(), await submitter(token)),
    turn: (id, state) => setRequestState(deps(), caller, id, state),
    revoke: (id) => revokeRequest(deps(), caller, id),
    find: (id) => getRequest(deps(), caller, { id, waitSeconds: 0, signal: new AbortController().signal }),
    list: (state) => listRequests(deps(), caller, state === undefined ? {} : { state }),
  };
}
