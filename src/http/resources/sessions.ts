import { Elysia } from "elysia";
import { SignInBody } from "../../contract/sessions.ts";
import { Refusal } from "../../domain/errors.ts";
import { SESSION_SECONDS, signIn } from "../../domain/persons.ts";
import type { Service } from "../../domain/service.ts";
import { hashToken } from "../../domain/tokens.ts";
import { addressGroup, clientAddress } from "../gate/addresses.ts";
import { readJson } from "../gate/bodies.ts";
import type { RateLimits } from "../gate/rate-limits.ts";
import { markReplay, toRepeatableCall } from "../gate/repetitions.ts";
import { SESSION_PATH } from "../gate/routes.ts";
import { MAX_SESSION_BODY_BYTES, readSession, SESSION_COOKIE } from "../gate/sessions.ts";
import type { HttpOptions } from "../options.ts";

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Strict";

/** Signs people in and out. What else lies under `/app` is the API with a session in place of a key. */
export function sessionRoutes(service: () => Service, options: HttpOptions, limits: RateLimits) {
  return new Elysia({ normalize: false })
    .post(
      SESSION_PATH,
      async ({ body, request, server, set }) => {
        try {
          const { token, person, isReplay } = await signIn(service(), {
            signInToken: body.sign_in_token,
            idempotencyKey: toRepeatableCall(request).idempotencyKey,
            former: readSession(request.headers),
            signal: request.signal,
          });
          markReplay(set, { isReplay });
          set.headers["set-cookie"] = `${SESSION_COOKIE}=${token}; ${ATTRIBUTES}; Max-Age=${SESSION_SECONDS}`;
          return { name: person.name, team: person.teamName };
        } catch (error) {
          if (!(error instanceof Refusal) || !error.code.startsWith("credential_")) throw error;
          const peer = server?.requestIP(request)?.address ?? null;
          const address = clientAddress(peer, request.headers.get("x-forwarded-for"), options.trustedProxies);
          limits.countFailure(addressGroup(address), set.headers);
          throw error;
        }
      },
      { body: SignInBody, parse: ({ request }) => readJson(request, MAX_SESSION_BODY_BYTES, options) },
    )
    .delete(SESSION_PATH, async ({ request, set }) => {
      const token = readSession(request.headers);
      if (token !== undefined) await service().store.deletePersonToken(hashToken(token));
      set.headers["set-cookie"] = `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
      set.status = 204;
    });
}
