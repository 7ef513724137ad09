import { Elysia } from "elysia";
import { MAIL_SIGN_IN_SCHEMAS } from "../../contract/credentials.ts";
import { MAIL_SIGN_IN } from "../../contract/operations.ts";
import type { Service } from "../../domain/service.ts";
import { beginMailSignIn, checkMail, CODE_SECONDS } from "../../domain/signing-in/mail-codes.ts";
import { addressGroup, addressOf } from "../gate/addresses.ts";
import { readJson } from "../gate/bodies.ts";
import type { Gate } from "../gate/gate.ts";
import type { RateLimits } from "../gate/rate-limits.ts";
import { checked, described } from "../gate/schema-checks.ts";
import { schemaRefusal } from "../gate/schema-errors.ts";
import { describeBrowser, MAIL_COOKIE, MAX_SESSION_BODY_BYTES, toCookie } from "../gate/sessions.ts";
import type { HttpOptions } from "../options.ts";

/** Queues codes to sign in. The answer is the same for every address, and so is what is done for it. */
export function mailSignInRoutes(
  service: Service,
  options: Pick<HttpOptions, "bodyPace" | "trustedProxies" | "wakeMails">,
  gate: Gate,
  limits: RateLimits,
) {
  const { body: schema, success } = MAIL_SIGN_IN_SCHEMAS;
  return new Elysia({ normalize: false }).route(
    MAIL_SIGN_IN.method,
    MAIL_SIGN_IN.path,
    async ({ body, request, server, set }) => {
      checkMail(service.policy);
      const from = addressGroup(addressOf({ request, server }, options.trustedProxies));
      limits.countMail(from, { address: body.address, subjectId: undefined }, set.headers);
      const token = await beginMailSignIn(service, { ...body, ...describeBrowser(request.headers) });
      options.wakeMails?.();
      set.headers["set-cookie"] = toCookie(MAIL_COOKIE, token, CODE_SECONDS);
      set.status = success.status;
      return {};
    },
    {
      parse: ({ request, set }) => {
        gate.admitToSession({ request, set }, MAIL_SIGN_IN);
        return readJson(request, MAX_SESSION_BODY_BYTES, options);
      },
      body: checked(schema, (errors) => schemaRefusal("body", errors)),
      response: { [success.status]: described(success.schema) },
    },
  );
}
