import type { Context } from "elysia";
import { Elysia } from "elysia";
import type { NoticeKind } from "../../contract/states.ts";
import { findMailOff, MAIL_OFF_ROUTE } from "../../domain/mails/off-paths.ts";
import type { MailOffState } from "../../domain/mails/off-paths.ts";
import { switchNoticesOff } from "../../domain/mails/switches.ts";
import type { Service } from "../../domain/service.ts";

type Answering = Pick<Context, "request" | "set">;

/**
 * Switches mails off (RFC 8058): a mail program posts to the address in the mail, without a session, and so does the
 * page at that address.
 */
export function mailOffRoutes(
  service: Pick<Service, "store">,
  page: { answerMailOff(state: MailOffState, kinds: readonly NoticeKind[], answering: Answering): Promise<unknown> },
) {
  return new Elysia({ normalize: false })
    .get(MAIL_OFF_ROUTE, async ({ params, request, set }) => {
      const found = await findMailOff(service.store, params);
      const state = found === undefined ? "stale" : found.isWanted ? "asks" : "off";
      return page.answerMailOff(state, found?.kinds ?? [], { request, set });
    })
    .post(
      MAIL_OFF_ROUTE,
      async ({ params, request, set }) => {
        const kinds = await switchNoticesOff(service, params);
        // A browser would post again when its tab is loaded again. Mail programs don't follow (RFC 8058, section 3.1).
        if (kinds && request.headers.get("sec-fetch-mode") === "navigate") {
          Object.assign(set.headers, { location: params.token });
          set.status = 303;
          return "";
        }
        return page.answerMailOff(kinds ? "off" : "stale", kinds ?? [], { request, set });
      },
      // Its body says nothing that the address doesn't.
      { parse: "none" },
    );
}
