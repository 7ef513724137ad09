import { Elysia } from "elysia";
import { OPERATIONS } from "../../contract/operations.ts";
import { NoQuery } from "../../contract/pages.ts";
import {
  CreatedRequest,
  CreateRequestBody,
  CreateRequestQuery,
  Invitation,
  ListRequestsQuery,
  PatchRequestBody,
  RequestMetadata,
  RequestPage,
  RequestPath,
  SubmittedSecret,
} from "../../contract/requests.ts";
import { CreateSecretBody, WaitQuery } from "../../contract/secrets.ts";
import type { SubmitTokenCaller } from "../../domain/callers.ts";
import type { RequestRecord } from "../../domain/ports.ts";
import { reauthenticate } from "../../domain/reauthentication.ts";
import {
  createRequest,
  getInvitation,
  getRequest,
  listRequests,
  revokeRequest,
  setRequestState,
  submitSecret,
} from "../../domain/requests.ts";
import type { RequestWithSubmissions } from "../../domain/requests.ts";
import type { Service } from "../../domain/service.ts";
import { readOwnJson } from "../gate/bodies.ts";
import { markReplay, toRepeatableCall } from "../gate/repetitions.ts";
import { routeOf } from "../gate/routes.ts";
import type { Prefix } from "../gate/routes.ts";
import { callerOf } from "../gate/visits.ts";
import type { RouteOptions } from "../options.ts";
import { basePath } from "./base-paths.ts";
import { describeOperation } from "./descriptions.ts";
import { toIsoTime } from "./times.ts";

/** The routes of requests: contract section 5. */
export function requestRoutes(service: () => Service, options: RouteOptions, prefix: Prefix) {
  const parse = readOwnJson(service, options);
  return new Elysia({ normalize: false })
    .post(
      routeOf("createRequest", prefix),
      async ({ body, query, request, set }) => {
        const created = await createRequest(service(), callerOf(request), {
          body,
          query,
          request: toRepeatableCall(request),
        });
        const { id } = created.request;
        set.status = 201;
        markReplay(set, created);
        set.headers["location"] = `${basePath(options.baseUrl())}${prefix}/requests/${id}`;
        return {
          ...presentRequest({ request: created.request, submissions: [] }),
          url: `${options.baseUrl()}/r/${id}`,
          ...(created.submitToken === undefined ? {} : { submit_token: created.submitToken }),
        };
      },
      {
        body: CreateRequestBody,
        query: CreateRequestQuery,
        parse,
        response: { 201: CreatedRequest },
        detail: describeOperation("createRequest"),
      },
    )
    .get(
      routeOf("listRequests", prefix),
      async ({ query, request }) => {
        const page = await listRequests(service(), callerOf(request), query);
        const data = page.items.map(presentCommon);
        return { data, next_cursor: page.nextCursor };
      },
      { query: ListRequestsQuery, response: { 200: RequestPage }, detail: describeOperation("listRequests") },
    )
    .get(
      routeOf("getRequest", prefix),
      async ({ params, query, request }) => {
        const caller = callerOf(request);
        const found = await getRequest(service(), caller, {
          id: params.id,
          waitSeconds: query.wait ?? 0,
          signal: request.signal,
        });
        if (query.wait) await reauthenticate(service(), caller, OPERATIONS.getRequest, params.id);
        return presentRequest(found);
      },
      {
        params: RequestPath,
        query: WaitQuery,
        response: { 200: RequestMetadata },
        detail: describeOperation("getRequest"),
      },
    )
    .get(
      routeOf("getInvitation", prefix),
      async ({ request }) => {
        const invitation = await getInvitation(service(), submitterOf(request));
        return {
          recipient: invitation.recipient,
          note: invitation.note,
          expires_at: toIsoTime(invitation.expiresAt),
          submissions_left: invitation.submissionsLeft,
        };
      },
      {
        params: RequestPath,
        query: NoQuery,
        response: { 200: Invitation },
        detail: describeOperation("getInvitation"),
      },
    )
    .post(
      routeOf("submitSecret", prefix),
      async ({ body, request, set }) => {
        const { envelope } = body;
        const submitted = await submitSecret(service(), submitterOf(request), {
          envelope,
          request: toRepeatableCall(request),
        });
        set.status = 201;
        markReplay(set, submitted);
        return { secret_id: submitted.secret.id, state: submitted.secret.state };
      },
      {
        params: RequestPath,
        query: NoQuery,
        body: CreateSecretBody,
        parse,
        response: { 201: SubmittedSecret },
        detail: describeOperation("submitSecret"),
      },
    )
    .patch(
      routeOf("patchRequest", prefix),
      async ({ params, body, request }) =>
        presentRequest(await setRequestState(service(), callerOf(request), params.id, body.state)),
      {
        params: RequestPath,
        query: NoQuery,
        body: PatchRequestBody,
        parse,
        response: { 200: RequestMetadata },
        detail: describeOperation("patchRequest"),
      },
    )
    .delete(
      routeOf("revokeRequest", prefix),
      async ({ params, request }) => presentRequest(await revokeRequest(service(), callerOf(request), params.id)),
      {
        params: RequestPath,
        query: NoQuery,
        response: { 200: RequestMetadata },
        detail: describeOperation("revokeRequest"),
      },
    );
}

/** The gate lets nobody else to what only a submit token may do. */
function submitterOf(request: Request): SubmitTokenCaller {
  const caller = callerOf(request);
  if (caller.kind !== "submit") throw new Error("the gate let somebody without a submit token through");
  return caller;
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
  };
}
