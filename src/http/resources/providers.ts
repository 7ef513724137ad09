import { Elysia } from "elysia";
import { OidcSignInBody } from "../../contract/credentials.ts";
import { OIDC_LOGOUT, OIDC_SIGN_IN } from "../../contract/operations.ts";
import type { Service } from "../../domain/service.ts";
import { ATTEMPT_SECONDS } from "../../domain/signing-in/passkeys.ts";
import { beginProviderSignIn, endByProvider } from "../../domain/signing-in/single-sign-on.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { addressGroup, addressOf } from "../gate/addresses.ts";
import type { Received } from "../gate/addresses.ts";
import { readJson } from "../gate/bodies.ts";
import { BODY_PACE, readBody } from "../gate/body-streams.ts";
import type { Gate } from "../gate/gate.ts";
import type { RateLimits } from "../gate/rate-limits.ts";
import { checked } from "../gate/schema-checks.ts";
import { schemaRefusal } from "../gate/schema-errors.ts";
import { MAX_SESSION_BODY_BYTES, OIDC_COOKIE, toCookie } from "../gate/sessions.ts";
import type { HttpOptions } from "../options.ts";
import { providerPlace } from "./provider-places.ts";

const FORM_MEDIA_TYPE = /^application\/x-www-form-urlencoded *(;|$)/i;

/** Sends browsers to the provider of single sign-on, and lets it end sessions. */
export function providerRoutes(
  service: Service,
  options: Pick<HttpOptions, "baseUrl" | "bodyPace" | "singleSignOn" | "trustedProxies">,
  gate: Gate,
  limits: RateLimits,
) {
  const groupOf = (received: Received) => addressGroup(addressOf(received, options.trustedProxies));
  const routes = new Elysia({ normalize: false }).route(
    OIDC_SIGN_IN.method,
    OIDC_SIGN_IN.path,
    async ({ body, request, server, set }) => {
      limits.countProviderAttempt(groupOf({ request, server }), set.headers);
      const how = { isSilent: body.silent, choosesAccount: body.other_account ?? false };
      const { url, token } = await beginProviderSignIn(service, await providerPlace(service, options), how);
      set.headers["set-cookie"] = toCookie(OIDC_COOKIE, token, ATTEMPT_SECONDS);
      return { url };
    },
    {
      parse: ({ request, set }) => {
        gate.admitToSession({ request, set }, OIDC_SIGN_IN);
        return readJson(request, MAX_SESSION_BODY_BYTES, options);
      },
      body: checked(OidcSignInBody, (errors) => schemaRefusal("body", errors)),
    },
  );
  if (!options.singleSignOn) return routes;
  return routes.route(
    OIDC_LOGOUT.method,
    OIDC_LOGOUT.path,
    async ({ body, request, server, set }) => {
      const place = await providerPlace(service, options);
      const group = groupOf({ request, server });
      const isValid = await endByProvider(service, place, body as string).catch((error: unknown) => {
        limits.countFailure(group, set.headers);
        throw error;
      });
      if (isValid) return "";
      limits.countFailure(group, set.headers);
      // As Back-Channel Logout 1.0 has it, section 2.8.
      set.status = 400;
      set.headers["content-type"] = "application/json";
      return JSON.stringify({ error: "invalid_request" });
    },
    { parse: ({ request }) => readLogoutToken(request, options) },
  );
}

/** The token of a form; empty when there isn't one. Throws a Refusal. */
async function readLogoutToken(request: Request, { bodyPace = BODY_PACE }: Pick<HttpOptions, "bodyPace">) {
  if (!FORM_MEDIA_TYPE.test(request.headers.get("content-type") ?? "")) throw new Refusal("unsupported_media_type");
  const limits = { maxBytes: MAX_SESSION_BODY_BYTES, pace: bodyPace, grow: () => undefined };
  const form = new URLSearchParams(new TextDecoder().decode(await readBody(request, limits)));
  const [token = "", second] = form.getAll("logout_token");
  return second === undefined ? token : "";
}
