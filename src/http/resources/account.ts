import { Elysia } from "elysia";
import { ACCOUNT_SCHEMAS } from "../../contract/credentials.ts";
import { ACCOUNT_OPERATIONS, APP_PREFIX } from "../../contract/operations.ts";
import type { Notices, Passkey, Session } from "../../contract/persons.ts";
import { toIsoTime } from "../../contract/times.ts";
import type { PersonCaller } from "../../domain/callers.ts";
import { findNotices, setNotices } from "../../domain/mails/switches.ts";
import type { WantedNotices } from "../../domain/ports/notices.ts";
import type { PasskeyRecord } from "../../domain/ports/passkeys.ts";
import type { SessionRecord } from "../../domain/ports/persons.ts";
import type { Service } from "../../domain/service.ts";
import { endOtherSessions, endSession, listSessions } from "../../domain/sessions.ts";
import { requireFreshSignIn } from "../../domain/signing-in/fresh-sign-ins.ts";
import {
  addPasskey,
  ATTEMPT_SECONDS,
  beginAdding,
  listPasskeys,
  removePasskey,
} from "../../domain/signing-in/passkeys.ts";
import { readJson } from "../gate/bodies.ts";
import type { Gate } from "../gate/gate.ts";
import { checked, described } from "../gate/schema-checks.ts";
import { schemaRefusal } from "../gate/schema-errors.ts";
import { ATTEMPT_COOKIE, describeBrowser, MAX_SESSION_BODY_BYTES, readCookie, toCookie } from "../gate/sessions.ts";
import { callerOf } from "../gate/visits.ts";
import type { HttpOptions } from "../options.ts";
import { passkeyPlace, waysToSignIn } from "./passkey-places.ts";
import type { SignInOptions } from "./passkey-places.ts";

const OF = ACCOUNT_OPERATIONS;
const SCHEMAS = ACCOUNT_SCHEMAS;
const SESSIONS = APP_PREFIX + OF.listSessions.path;
const PASSKEYS = APP_PREFIX + OF.listPasskeys.path;
const NOTICES = APP_PREFIX + OF.getNotices.path;

/** A person's own account: their sessions, passkeys and mails. */
export function accountRoutes(
  service: Service,
  options: Pick<HttpOptions, "bodyPace" | "wakeMails"> & SignInOptions,
  gate: Gate,
) {
  return new Elysia({ normalize: false })
    .route(
      OF.listSessions.method,
      SESSIONS,
      async ({ request, set }) => {
        const caller = await gate.admitPerson({ request, set }, OF.listSessions);
        const live = await listSessions(service, caller);
        return { data: live.map((session) => presentSession(session, session.id === caller.session.id)) };
      },
      { response: { [SCHEMAS.listSessions.success.status]: described(SCHEMAS.listSessions.success.schema) } },
    )
    .route(OF.endSession.method, `${SESSIONS}/:id`, async ({ request, set, params }) => {
      await endSession(service, await gate.admitPerson({ request, set }, OF.endSession), params.id);
      set.status = SCHEMAS.endSession.success.status;
    })
    .route(OF.endOtherSessions.method, SESSIONS, async ({ request, set }) => {
      await endOtherSessions(service, await gate.admitPerson({ request, set }, OF.endOtherSessions));
      set.status = SCHEMAS.endOtherSessions.success.status;
    })
    .route(
      OF.listPasskeys.method,
      PASSKEYS,
      async ({ request, set }) => {
        const caller = await gate.admitPerson({ request, set }, OF.listPasskeys);
        return { data: (await listPasskeys(service, caller)).map(presentPasskey) };
      },
      { response: { [SCHEMAS.listPasskeys.success.status]: described(SCHEMAS.listPasskeys.success.schema) } },
    )
    .route(OF.beginAddingPasskey.method, APP_PREFIX + OF.beginAddingPasskey.path, async ({ request, set }) => {
      const caller = await gate.admitPerson({ request, set }, OF.beginAddingPasskey);
      const place = await passkeyPlace(service, options);
      await requireFreshSignIn(service, caller, waysToSignIn(service, options));
      const begun = await beginAdding(service, place, caller);
      set.headers["set-cookie"] = toCookie(ATTEMPT_COOKIE, begun.token, ATTEMPT_SECONDS);
      return { options: begun.options };
    })
    .route(
      OF.addPasskey.method,
      PASSKEYS,
      async ({ body, request, set }) => {
        const { headers } = request;
        const answer = {
          attempt: readCookie(headers, ATTEMPT_COOKIE),
          answer: body.passkey,
          language: body.language ?? "en",
          ...describeBrowser(headers),
        };
        const passkey = await addPasskey(service, await passkeyPlace(service, options), personOf(request), answer);
        options.wakeMails?.();
        set.status = SCHEMAS.addPasskey.success.status;
        return presentPasskey(passkey);
      },
      {
        parse: async ({ request, set }) => {
          await gate.admitPerson({ request, set }, OF.addPasskey);
          return readJson(request, MAX_SESSION_BODY_BYTES, options);
        },
        body: checked(SCHEMAS.addPasskey.body, (errors) => schemaRefusal("body", errors)),
        response: { [SCHEMAS.addPasskey.success.status]: described(SCHEMAS.addPasskey.success.schema) },
      },
    )
    .route(
      OF.getNotices.method,
      NOTICES,
      async ({ request, set }) => {
        const caller = await gate.admitPerson({ request, set }, OF.getNotices);
        return presentNotices(await findNotices(service, caller));
      },
      { response: { [SCHEMAS.getNotices.success.status]: described(SCHEMAS.getNotices.success.schema) } },
    )
    .route(
      OF.setNotices.method,
      NOTICES,
      async ({ body, request }) => {
        const { opened, ending, handed_in: handedIn, asked, language, time_zone: timeZone } = body;
        const change = {
          ...(opened !== undefined && { opened }),
          ...(ending !== undefined && { ending }),
          ...(handedIn !== undefined && { handedIn }),
          ...(asked !== undefined && { asked }),
        };
        return presentNotices(await setNotices(service, personOf(request), change, { language, timeZone }));
      },
      {
        parse: async ({ request, set }) => {
          await gate.admitPerson({ request, set }, OF.setNotices);
          return readJson(request, MAX_SESSION_BODY_BYTES, options);
        },
        body: checked(SCHEMAS.setNotices.body, (errors) => schemaRefusal("body", errors)),
        response: { [SCHEMAS.setNotices.success.status]: described(SCHEMAS.setNotices.success.schema) },
      },
    )
    .route(OF.removePasskey.method, `${PASSKEYS}/:id`, async ({ request, set, params }) => {
      const caller = await gate.admitPerson({ request, set }, OF.removePasskey);
      // After the last one is gone, nothing would ask for it any more.
      await requireFreshSignIn(service, caller, waysToSignIn(service, options));
      await removePasskey(service, caller, params.id);
      set.status = SCHEMAS.removePasskey.success.status;
    });
}

/** The caller that `admitPerson` has found. */
function personOf(request: Request): PersonCaller {
  const caller = callerOf(request);
  if (caller.kind !== "person") throw new Error("a call for people came from another caller");
  return caller;
}

function presentSession({ id, way, browser, system, ...times }: SessionRecord, isCurrent: boolean): Session {
  return {
    id,
    way,
    browser,
    system,
    created_at: toIsoTime(times.createdAt),
    last_used_at: toIsoTime(times.lastUsedAt),
    expires_at: toIsoTime(times.expiresAt),
    is_current: isCurrent,
  };
}

function presentPasskey({ id, browser, system, createdAt, lastUsedAt }: PasskeyRecord): Passkey {
  return { id, browser, system, created_at: toIsoTime(createdAt), last_used_at: toIsoTime(lastUsedAt) };
}

function presentNotices({ opened, ending, handedIn, asked }: WantedNotices): Notices {
  return { opened, ending, handed_in: handedIn, asked };
}
