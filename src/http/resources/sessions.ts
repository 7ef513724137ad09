import { Elysia } from "elysia";
import type { SignInBody } from "../../contract/credentials.ts";
import { SESSION_SCHEMAS } from "../../contract/credentials.ts";
import { PASSKEY_SIGN_IN, SESSION_OPERATIONS, SESSION_PATH } from "../../contract/operations.ts";
import { toPerson } from "../../domain/senders.ts";
import { canBeMailed } from "../../domain/server-policies.ts";
import type { Service } from "../../domain/service.ts";
import { authenticatePerson, signIn, signOut, useSession } from "../../domain/sessions.ts";
import type { SignedIn } from "../../domain/sessions.ts";
import { signInWithCode } from "../../domain/signing-in/mail-codes.ts";
import { ATTEMPT_SECONDS, beginPasskeySignIn, signInWithPasskey } from "../../domain/signing-in/passkeys.ts";
import { signInWithProvider } from "../../domain/signing-in/single-sign-on.ts";
import { Refusal } from "../../domain/values/errors.ts";
import type { Received } from "../gate/addresses.ts";
import { addressGroup, addressOf } from "../gate/addresses.ts";
import { readJson } from "../gate/bodies.ts";
import type { Gate } from "../gate/gate.ts";
import type { RateLimits } from "../gate/rate-limits.ts";
import { markReplay, toRepeatableCall } from "../gate/repetitions.ts";
import { checked, described } from "../gate/schema-checks.ts";
import { schemaRefusal } from "../gate/schema-errors.ts";
import {
  ATTEMPT_COOKIE,
  describeBrowser,
  isPassive,
  MAIL_COOKIE,
  MAX_SESSION_BODY_BYTES,
  OIDC_COOKIE,
  readCookie,
  readSession,
  SESSION_COOKIE,
  toCookie,
} from "../gate/sessions.ts";
import type { HttpOptions } from "../options.ts";
import { describeCredential } from "./credentials.ts";
import { passkeyPlace, waysToSignIn } from "./passkey-places.ts";
import type { SignInOptions } from "./passkey-places.ts";
import { providerPlace } from "./provider-places.ts";

/**
 * Signs people in and out, and reports who is signed in. The rest of `/app` is the API, with a session in place of a
 * key.
 */
export function sessionRoutes(
  service: Service,
  options: Pick<HttpOptions, "bodyPace" | "trustedProxies"> & SignInOptions,
  gate: Gate,
  limits: RateLimits,
) {
  const { findSession, signIn: signingIn, signOut: signingOut } = SESSION_SCHEMAS;
  const groupOf = (received: Received) => addressGroup(addressOf(received, options.trustedProxies));
  const begin = async (body: SignInBody, request: Request): Promise<SignedIn> => {
    const { headers, signal } = request;
    const call = { former: readSession(headers), signal, ...describeBrowser(headers) };
    if ("sign_in_token" in body) {
      const { idempotencyKey } = toRepeatableCall(request);
      return signIn(service, { signInToken: body.sign_in_token, idempotencyKey, ...call });
    }
    if ("mail" in body) {
      const attempt = readCookie(headers, MAIL_COOKIE);
      return signInWithCode(service, { attempt, code: body.mail.code, ...call });
    }
    if ("oidc" in body) {
      const attempt = readCookie(headers, OIDC_COOKIE);
      const place = await providerPlace(service, options);
      return signInWithProvider(service, place, { attempt, answer: body.oidc.query, ...call });
    }
    const attempt = readCookie(headers, ATTEMPT_COOKIE);
    const place = await passkeyPlace(service, options);
    return signInWithPasskey(service, place, { attempt, answer: body.passkey, ...call });
  };
  return new Elysia({ normalize: false })
    .route(
      SESSION_OPERATIONS.findSession.method,
      SESSION_PATH,
      async ({ request, server, set }) => {
        const token = readSession(request.headers);
        const stranger = { credential: null, ways: waysToSignIn(service, options), sends_mails: false };
        // Not an error status: a browser would log it, and a visitor without a session is no failure.
        if (token === undefined) return stranger;
        try {
          const found = await authenticatePerson(service, token);
          const caller = isPassive(request, "") ? found : useSession(service, found);
          limits.countCall(caller.credentialId, set.headers);
          const credential = await describeCredential(service, caller);
          return { ...stranger, credential, sends_mails: canBeMailed(service.policy, caller.person) };
        } catch (error) {
          if (!isOfCredential(error)) throw error;
          limits.countFailure(groupOf({ request, server }), set.headers);
          return stranger;
        }
      },
      {
        transform: ({ request, set }) => gate.admitToSession({ request, set }, SESSION_OPERATIONS.findSession),
        response: { [findSession.success.status]: described(findSession.success.schema) },
      },
    )
    .route(
      PASSKEY_SIGN_IN.method,
      PASSKEY_SIGN_IN.path,
      async ({ request, server, set }) => {
        limits.countPasskeyAttempt(groupOf({ request, server }), set.headers);
        const { token, options: asked } = await beginPasskeySignIn(service, await passkeyPlace(service, options));
        set.headers["set-cookie"] = toCookie(ATTEMPT_COOKIE, token, ATTEMPT_SECONDS);
        return { options: asked };
      },
      { transform: ({ request, set }) => gate.admitToSession({ request, set }, PASSKEY_SIGN_IN) },
    )
    .route(
      SESSION_OPERATIONS.signIn.method,
      SESSION_PATH,
      async ({ body, request, server, set }) => {
        try {
          const signedIn = await begin(body, request);
          markReplay(set.headers, signedIn);
          const { sessionLifetimeSeconds } = service.policy;
          set.headers["set-cookie"] = toCookie(SESSION_COOKIE, signedIn.token, sessionLifetimeSeconds);
          return toPerson(signedIn.session.identity);
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
        set.headers["set-cookie"] = toCookie(SESSION_COOKIE, "", 0);
        set.status = signingOut.success.status;
      },
      { transform: ({ request, set }) => gate.admitToSession({ request, set }, SESSION_OPERATIONS.signOut) },
    );
}

function isOfCredential(error: unknown): boolean {
  return error instanceof Refusal && error.code.startsWith("credential_");
}
