import type { Context } from "elysia";
import { Elysia } from "elysia";
import { findMailOff, MAIL_OFF_ROUTE } from "../../domain/mails/off-paths.ts";
import { switchNoticesOff } from "../../domain/mails/switches.ts";
import type { Service } from "../../domain/service.ts";
import type { MailOffState } from "../pages/documents.ts";

type Answering = Pick<Context, "request" | "set">;

/**
 * Switches mails off (RFC 8058): a mail program posts to the address in the mail, without a session, and so does the
 * page at that address.
 */
export function mailOffRoutes(
  service: Pick<Service, "store">,
  page: { answerMailOff(state: MailOffState, answering: Answering): Promise<unknown> },
) {
  return new Elysia({ normalize: false })
    .get(MAIL_OFF_ROUTE, async ({ params, request, set }) => {
      const isGood = (await findMailOff(service.store, params)) !== undefined;
      return page.answerMailOff(isGood ? "asks" : "stale", { request, set });
    })
    .post(
      MAIL_OFF_ROUTE,
      async ({ params, request, set }) => {
        const isOff = await switchNoticesOff(service, params);
        return page.answerMailOff(isOff ? "off" : "stale", { request, set });
      },
      // Its body says nothing that the address doesn't.
      { parse: "none" },
    );
}
