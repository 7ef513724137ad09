import { linkPath } from "../../contract/links.ts";
import { OPERATIONS } from "../../contract/operations.ts";
import type { RequestMetadata } from "../../contract/requests.ts";
import { toIsoTime } from "../../contract/times.ts";
import { listAddressees, maskAddressees } from "../../domain/addressees.ts";
import type { Caller, SubmitTokenCaller } from "../../domain/callers.ts";
import type { RequestRecord } from "../../domain/ports/requests.ts";
import {
  createRequest,
  getInvitation,
  getRequest,
  listRequests,
  revokeRequest,
  setRequestState,
  submitSecret,
} from "../../domain/requests.ts";
import type { RequestWithSubmissions, SubmittedSecret } from "../../domain/requests.ts";
import type { Service } from "../../domain/service.ts";
import { reauthenticate } from "../../domain/sessions.ts";
import { markReplay, toRepeatableCall } from "../gate/repetitions.ts";
import type { ResponseHeaders, RouteOptions } from "../options.ts";
import { basePath } from "./base-paths.ts";
import type { Handlers } from "./calls.ts";
import { readProof } from "./proofs.ts";

type RequestOperations =
  "createRequest" | "listRequests" | "getRequest" | "getInvitation" | "submitSecret" | "patchRequest" | "revokeRequest";

/** Answers calls about requests, contract section 5. */
export function requestHandlers(service: Service, options: RouteOptions): Handlers<RequestOperations> {
  return {
    async createRequest({ caller, body, query, request, prefix, headers }) {
      const created = await createRequest(service, caller, { body, query, call: toRepeatableCall(request) });
      const { id } = created.request;
      markReplay(headers, created);
      headers["location"] = `${basePath(options.baseUrl())}${prefix}/requests/${id}`;
      return {
        ...presentRequest({ request: created.request, submissions: [] }),
        url: options.baseUrl() + linkPath("request", id),
        ...(created.submitToken === undefined ? {} : { submit_token: created.submitToken }),
      };
    },
    async listRequests({ caller, query }) {
      const page = await listRequests(service, caller, query);
      return { data: page.items.map(presentCommon), next_cursor: page.nextCursor };
    },
    async getRequest({ caller, id, query, request }) {
      const found = await getRequest(service, caller, { id, waitSeconds: query.wait ?? 0, signal: request.signal });
      if (query.wait) await reauthenticate(service, caller, OPERATIONS.getRequest, id);
      return presentRequest(found);
    },
    async getInvitation({ caller }) {
      const invitation = await getInvitation(service, submitter(caller));
      return {
        recipient: invitation.recipient,
        note: invitation.note,
        expires_at: toIsoTime(invitation.expiresAt),
        submissions_left: invitation.submissionsLeft,
        asked_by: invitation.askedBy,
        for: maskAddressees(invitation.addressees),
      };
    },
    async submitSecret({ caller, body, request, headers }) {
      const proofToken = readProof(request.headers);
      const input = { envelope: body.envelope, call: toRepeatableCall(request), proofToken };
      return presentSubmitted(await submitSecret(service, submitter(caller), input), headers);
    },
    async patchRequest({ caller, id, body }) {
      return presentRequest(await setRequestState(service, caller, id, body.state));
    },
    async revokeRequest({ caller, id }) {
      return presentRequest(await revokeRequest(service, caller, id));
    },
  };
}

/** The caller with a submit token. The gate admits no other caller to these operations. */
export function submitter(caller: Caller): SubmitTokenCaller {
  if (caller.kind !== "submit") throw new Error("the gate let somebody without a submit token through");
  return caller;
}

/** The answer to a call that handed in a secret. Marks the headers of a repeated one. */
export function presentSubmitted(submitted: SubmittedSecret, headers: ResponseHeaders) {
  markReplay(headers, submitted);
  return { secret_id: submitted.secret.id, state: submitted.secret.state };
}

function presentRequest({ request, submissions }: RequestWithSubmissions): RequestMetadata {
  return {
    ...presentCommon(request),
    submissions: submissions.map(({ secretId, state, createdAt }) => ({
      secret_id: secretId,
      state,
      created_at: toIsoTime(createdAt),
    })),
  };
}

function presentCommon(request: RequestRecord) {
  return {
    id: request.id,
    state: request.state,
    recipient: request.recipient,
    created_at: toIsoTime(request.createdAt),
    expires_at: toIsoTime(request.expiresAt),
    max_submissions: request.maxSubmissions,
    submission_count: request.submissionCount,
    ended_at: toIsoTime(request.endedAt),
    created_by: request.createdBy,
    reference: request.reference,
    for: listAddressees(request.addressees),
  };
}
