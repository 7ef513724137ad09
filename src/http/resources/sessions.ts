import { Elysia } from "elysia";
import { SESSION_SCHEMAS } from "../../contract/operation-schemas.ts";
import { SESSION_OPERATIONS, SESSION_PATH } from "../../contract/operations.ts";
import { authenticatePerson, SESSION_SECONDS, signIn, signOut } from "../../domain/persons.ts";
import { toPerson } from "../../domain/senders.ts";
import type { Service } from "../../domain/service.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { Received } from "../gate/addresses.ts";
import { addressGroup, addressOf } from "../gate/addresses.ts";
import { readJson } from "../gate/bodies.ts";
import type { Gate } from "../gate/gate.ts";
import type { RateLimits } from "../gate/rate-limits.ts";
import { markReplay, toRepeatableCall } from "../gate/repetitions.ts";
import { checked, described } from "../gate/schema-checks.ts";
import { schemaRefusal } from "../gate/schema-errors.ts";
import { MAX_SESSION_BODY_BYTES, readSession, SESSION_COOKIE } from "../gate/sessions.ts";
import type { HttpOptions } from "../options.ts";
import { describeCredential } from "./credentials.ts";

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/**
 * Signs people in and out, and reports who is signed in. The rest of `/app` is the API, with a session in place of a
 * key.
 */
export function sessionRoutes(
  service: Service,
  options: Pick<HttpOptions, "bodyPace" | "trustedProxies">,
  gate: Gate,
  limits: RateLimits,
) {
  const { findSession, signIn: signingIn, signOut: signingOut } = SESSION_SCHEMAS;
  const groupOf = (received: Received) => addressGroup(addressOf(received, options.trustedProxies));
  return new Elysia({ normalize: false })
    .route(
      SESSION_OPERATIONS.findSession.method,
      SESSION_PATH,
      async ({ request, server, set }) => {
        const token = readSession(request.headers);
        // Not an error status: a browser would log it, and a visitor without a session is no failure.
        if (token === undefined) return { credential: null };
        try {
          const caller = await authenticatePerson(service, token);
          limits.countCall(caller.credentialId, set.headers);
          return { credential: await describeCredential(service, caller) };
        } catch (error) {
          if (!isOfCredential(error)) throw error;
          limits.countFailure(groupOf({ request, server }), set.headers);
          return { credential: null };
        }
      },
      {
        transform: ({ request, set }) => gate.admitToSession({ request, set }, SESSION_OPERATIONS.findSession),
        response: { [findSession.success.status]: described(findSession.success.schema) },
      },
    )
    .route(
      SESSION_OPERATIONS.signIn.method,
      SESSION_PATH,
      async ({ body: { sign_in_token: token }, request, server, set }) => {
        try {
          const signedIn = await signIn(service, {
            signInToken: token,
            idempotencyKey: toRepeatableCall(request).idempotencyKey,
            former: readSession(request.headers),
            signal: request.signal,
          });
          markReplay(set.headers, signedIn);
          set.headers["set-cookie"] = `${SESSION_COOKIE}=${signedIn.token}; ${ATTRIBUTES}; Max-Age=${SESSION_SECONDS}`;
          return toPerson(signedIn.person);
        } catch (error) {
          if (!isOfCredential(error)) throw error;
          limits.countFailure(groupOf({ request, server }), set.headers);
          throw error;
        }
      },
      {
        parse: ({ request, set }) => {
          gate.admitToSession({ request, set }, SESSION_OPERATIONS.signIn);
          return readJson(request, MAX_SESSION_BODY_BYTES, options);
        },
        body: checked(signingIn.body, (errors) => schemaRefusal("body", errors)),
        response: { [signingIn.success.status]: described(signingIn.success.schema) },
      },
    )
    .route(
      SESSION_OPERATIONS.signOut.method,
      SESSION_PATH,
      async ({ request, set }) => {
        await signOut(service, readSession(request.headers));
        set.headers["set-cookie"] = `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
        set.status = signingOut.success.status;
      },
      { transform: ({ request, set }) => gate.admitToSession({ request, set }, SESSION_OPERATIONS.signOut) },
    );
}

function isOfCredential(error: unknown): boolean {
  return error instanceof Refusal && error.code.startsWith("credential_");
}
