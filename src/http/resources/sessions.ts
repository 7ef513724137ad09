import { Elysia } from "elysia";
import { SESSION_SCHEMAS } from "../../contract/operation-schemas.ts";
import { SESSION_OPERATIONS, SESSION_PATH } from "../../contract/operations.ts";
import { Refusal } from "../../domain/errors.ts";
import { SESSION_SECONDS, signIn, signOut } from "../../domain/persons.ts";
import { toPerson } from "../../domain/senders.ts";
import type { Service } from "../../domain/service.ts";
import { addressGroup, addressOf } from "../gate/addresses.ts";
import { readJson } from "../gate/bodies.ts";
import type { RateLimits } from "../gate/rate-limits.ts";
import { markReplay, toRepeatableCall } from "../gate/repetitions.ts";
import { MAX_SESSION_BODY_BYTES, readSession, SESSION_COOKIE } from "../gate/sessions.ts";
import type { HttpOptions } from "../options.ts";

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** Signs people in and out. What else lies under `/app` is the API with a session in place of a key. */
export function sessionRoutes(
  service: Service,
  options: Pick<HttpOptions, "bodyPace" | "trustedProxies">,
  limits: RateLimits,
) {
  const { body, success } = SESSION_SCHEMAS.signIn;
  return new Elysia({ normalize: false })
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
          if (!(error instanceof Refusal) || !error.code.startsWith("credential_")) throw error;
          limits.countFailure(addressGroup(addressOf({ request, server }, options.trustedProxies)), set.headers);
          throw error;
        }
      },
      {
        body,
        response: { [success.status]: success.schema },
        parse: ({ request }) => readJson(request, MAX_SESSION_BODY_BYTES, options),
      },
    )
    .route(SESSION_OPERATIONS.signOut.method, SESSION_PATH, async ({ request, set }) => {
      await signOut(service, readSession(request.headers));
      set.headers["set-cookie"] = `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
      set.status = SESSION_SCHEMAS.signOut.success.status;
    });
}
