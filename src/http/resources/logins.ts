import { Elysia } from "elysia";
import { ACCOUNT_SCHEMAS, LOGIN_SCHEMAS } from "../../contract/credentials.ts";
import { hasUnseen, isDeceiving } from "../../contract/names.ts";
import { ACCOUNT_OPERATIONS, API_PREFIX, APP_PREFIX, LOGIN_OPERATIONS } from "../../contract/operations.ts";
import { toIsoTime } from "../../contract/times.ts";
import type { Service } from "../../domain/service.ts";
import { endOf, signOut } from "../../domain/sessions.ts";
import { requireFreshSignIn } from "../../domain/signing-in/fresh-sign-ins.ts";
import {
  beginLogin,
  decideLogin,
  getLogin,
  LOGIN_INTERVAL_SECONDS,
  LOGIN_SECONDS,
  pollLogin,
} from "../../domain/signing-in/logins.ts";
import { Refusal } from "../../domain/values/errors.ts";
import { addressGroup, addressOf } from "../gate/addresses.ts";
import type { Received } from "../gate/addresses.ts";
import { readJson } from "../gate/bodies.ts";
import type { Gate } from "../gate/gate.ts";
import type { RateLimits } from "../gate/rate-limits.ts";
import { checked, described } from "../gate/schema-checks.ts";
import { schemaRefusal } from "../gate/schema-errors.ts";
import { MAX_SESSION_BODY_BYTES } from "../gate/sessions.ts";
import type { HttpOptions, ResponseHeaders } from "../options.ts";
import { waysToSignIn } from "./passkey-places.ts";
import type { SignInOptions } from "./passkey-places.ts";

const [OF, SCHEMAS] = [LOGIN_OPERATIONS, LOGIN_SCHEMAS];
const { getLogin: get, approveLogin: approve, refuseLogin: refuse } = ACCOUNT_OPERATIONS;
const LOGINS = API_PREFIX + OF.beginLogin.path;
const PENDING = `${APP_PREFIX}/logins/:id` as const;

/** Logs terminals in: they ask, and a person at the page decides (RFC 8628). */
export function loginRoutes(
  service: Service,
  options: Pick<HttpOptions, "bodyPace" | "trustedProxies"> & SignInOptions,
  gate: Gate,
  limits: RateLimits,
) {
  const addressFor = (received: Received) => addressOf(received, options.trustedProxies);
  const groupOf = (received: Received) => addressGroup(addressFor(received));
  /** Runs `work`. A code that is no one's counts as a failed guess of the address. */
  const guarded = async <T>(received: Received, headers: ResponseHeaders, work: () => Promise<T>): Promise<T> => {
    limits.checkFailures(groupOf(received));
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && isGuess(error)) limits.countFailure(groupOf(received), headers);
      throw error;
    }
  };
  return new Elysia({ normalize: false })
    .route(
      OF.beginLogin.method,
      LOGINS,
      async ({ body: { machine }, request, server, set }) => {
        const received = { request, server };
        limits.countLogin(groupOf(received), set.headers);
        if (isDeceiving(machine) || hasUnseen(machine)) {
          throw new Refusal("schema_mismatch", { detail: "The machine's name has characters that can't be seen." });
        }
        const address = addressFor(received) ?? null;
        const { deviceCode, userCode } = await beginLogin(service, { machine, address });
        const code = `${userCode.slice(0, 4)}-${userCode.slice(4)}`.toUpperCase();
        const place = `${options.baseUrl()}/login`;
        set.status = SCHEMAS.beginLogin.success.status;
        return {
          device_code: deviceCode,
          user_code: code,
          verification_uri: place,
          verification_uri_complete: `${place}#${code}`,
          expires_in: LOGIN_SECONDS,
          interval: LOGIN_INTERVAL_SECONDS,
        };
      },
      {
        parse: ({ request, set }) => {
          gate.admitToSession({ request, set }, OF.beginLogin);
          return readJson(request, MAX_SESSION_BODY_BYTES, options);
        },
        body: checked(SCHEMAS.beginLogin.body, (errors) => schemaRefusal("body", errors)),
        response: { [SCHEMAS.beginLogin.success.status]: described(SCHEMAS.beginLogin.success.schema) },
      },
    )
    .route(
      OF.pollLogin.method,
      API_PREFIX + OF.pollLogin.path,
      async ({ body: { device_code: deviceCode }, request, server, set }) => {
        const answer = await guarded({ request, server }, set.headers, () => pollLogin(service, deviceCode));
        if (answer.state !== "approved") return { state: answer.state, api_key: null, expires_at: null };
        const { apiKey, session } = answer;
        return { state: answer.state, api_key: apiKey, expires_at: toIsoTime(endOf(service, session)) };
      },
      {
        parse: ({ request, set }) => {
          gate.admitToSession({ request, set }, OF.pollLogin);
          return readJson(request, MAX_SESSION_BODY_BYTES, options);
        },
        body: checked(SCHEMAS.pollLogin.body, (errors) => schemaRefusal("body", errors)),
        response: { [SCHEMAS.pollLogin.success.status]: described(SCHEMAS.pollLogin.success.schema) },
      },
    )
    .route(OF.endLogin.method, LOGINS, async ({ request, set }) => {
      const { token } = await gate.admitTerminal({ request, set });
      await signOut(service, token);
      set.status = SCHEMAS.endLogin.success.status;
    })
    .route(
      get.method,
      PENDING,
      async ({ params, request, server, set }) => {
        await gate.admitPerson({ request, set }, get);
        const login = await guarded({ request, server }, set.headers, () => getLogin(service, params.id));
        return { machine: login.machine, address: login.address, created_at: toIsoTime(login.createdAt) };
      },
      { response: { [ACCOUNT_SCHEMAS.getLogin.success.status]: described(ACCOUNT_SCHEMAS.getLogin.success.schema) } },
    )
    .route(approve.method, PENDING, async ({ params, request, server, set }) => {
      const caller = await gate.admitPerson({ request, set }, approve);
      await requireFreshSignIn(service, caller, waysToSignIn(service, options));
      await guarded({ request, server }, set.headers, () => decideLogin(service, caller, params.id, "approved"));
      set.status = ACCOUNT_SCHEMAS.approveLogin.success.status;
    })
    .route(refuse.method, PENDING, async ({ params, request, server, set }) => {
      const caller = await gate.admitPerson({ request, set }, refuse);
      await guarded({ request, server }, set.headers, () => decideLogin(service, caller, params.id, "refused"));
      set.status = ACCOUNT_SCHEMAS.refuseLogin.success.status;
    });
}

function isGuess({ code }: Refusal): boolean {
  return code === "not_found" || code === "credential_expired";
}
