import { Elysia } from "elysia";
import { OPERATIONS } from "../../contract/operations.ts";
import { NoQuery } from "../../contract/pages.ts";
import {
  ClaimedSecret,
  CreatedSecret,
  CreateSecretBody,
  CreateSecretQuery,
  ListSecretsQuery,
  Secret,
  SecretPage,
  SecretPath,
  WaitQuery,
} from "../../contract/secrets.ts";
import type { Caller } from "../../domain/callers.ts";
import type { SecretRecord } from "../../domain/ports.ts";
import { reauthenticate } from "../../domain/reauthentication.ts";
import {
  acknowledgeClaim,
  claimSecret,
  createSecret,
  getSecret,
  listSecrets,
  revokeSecret,
} from "../../domain/secrets.ts";
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

/** The routes of secrets: contract section 5. */
export function secretRoutes(service: () => Service, options: RouteOptions, prefix: Prefix) {
  return new Elysia({ normalize: false })
    .post(
      routeOf("createSecret", prefix),
      async ({ body, query, request, set }) => {
        const caller = callerOf(request);
        const created = await createSecret(service(), caller, {
          envelope: body.envelope,
          query,
          request: toRepeatableCall(request),
        });
        const { id } = created.secret;
        set.status = 201;
        markReplay(set, created);
        set.headers["location"] = `${basePath(options.baseUrl())}${prefix}/secrets/${id}`;
        return {
          ...presentSecret(created.secret, caller),
          url: `${options.baseUrl()}/s/${id}`,
          ...(created.claimToken === undefined ? {} : { claim_token: created.claimToken }),
        };
      },
      {
        body: CreateSecretBody,
        query: CreateSecretQuery,
        parse: readOwnJson(service, options),
        response: { 201: CreatedSecret },
        detail: describeOperation("createSecret"),
      },
    )
    .get(
      routeOf("listSecrets", prefix),
      async ({ query, request }) => {
        const caller = callerOf(request);
        const page = await listSecrets(service(), caller, query);
        return { data: page.items.map((secret) => presentSecret(secret, caller)), next_cursor: page.nextCursor };
      },
      { query: ListSecretsQuery, response: { 200: SecretPage }, detail: describeOperation("listSecrets") },
    )
    .get(
      routeOf("getSecret", prefix),
      async ({ params, query, request }) => {
        const caller = callerOf(request);
        const secret = await getSecret(service(), caller, {
          id: params.id,
          waitSeconds: query.wait ?? 0,
          signal: request.signal,
        });
        if (query.wait) await reauthenticate(service(), caller, OPERATIONS.getSecret, params.id);
        return presentSecret(secret, caller);
      },
      { params: SecretPath, query: WaitQuery, response: { 200: Secret }, detail: describeOperation("getSecret") },
    )
    .post(
      routeOf("claimSecret", prefix),
      async ({ params, request, set }) => {
        const caller = callerOf(request);
        const claimed = await claimSecret(service(), caller, {
          id: params.id,
          request: toRepeatableCall(request),
          signal: request.signal,
        });
        markReplay(set, claimed);
        return {
          secret: presentSecret(claimed.secret, caller),
          envelope: claimed.envelope,
          replay_until: toIsoTime(claimed.replayUntil),
        };
      },
      {
        params: SecretPath,
        query: NoQuery,
        response: { 200: ClaimedSecret },
        detail: describeOperation("claimSecret"),
      },
    )
    .post(
      routeOf("acknowledgeClaim", prefix),
      async ({ params, request, set }) => {
        const { idempotencyKey, path } = toRepeatableCall(request);
        const claimPath = path.replace(/acknowledgement$/, "claim");
        const input = { id: params.id, idempotencyKey, claimPath };
        markReplay(set, await acknowledgeClaim(service(), callerOf(request), input));
        set.status = 204;
      },
      { params: SecretPath, query: NoQuery, detail: describeOperation("acknowledgeClaim") },
    )
    .delete(
      routeOf("revokeSecret", prefix),
      async ({ params, request }) => {
        const caller = callerOf(request);
        return presentSecret(await revokeSecret(service(), caller, params.id), caller);
      },
      { params: SecretPath, query: NoQuery, response: { 200: Secret }, detail: describeOperation("revokeSecret") },
    );
}

/** A secret on the wire. Whoever only holds its claim token does not learn who made it, nor for which request. */
function presentSecret(secret: SecretRecord, caller: Caller): Secret {
  const isTeam = caller.kind === "apiKey" || caller.kind === "person";
  return {
    id: secret.id,
    state: secret.state,
    envelope_version: secret.envelopeVersion,
    ciphertext_bytes: secret.ciphertextBytes,
    ciphertext_format: secret.ciphertextFormat,
    created_at: toIsoTime(secret.createdAt),
    expires_at: toIsoTime(secret.expiresAt),
    max_claims: secret.maxClaims,
    claims: secret.claims,
    ended_at: toIsoTime(secret.endedAt),
    created_by: isTeam ? secret.createdBy : null,
    request_id: isTeam ? secret.requestId : null,
  };
}
