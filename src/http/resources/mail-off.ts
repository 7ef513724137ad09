import type { Context } from "elysia";
import { Elysia } from "elysia";
import type { NoticeKind } from "../../contract/states.ts";
import { MAIL_OFF_ROUTE, parseMailKinds } from "../../domain/mails/off-paths.ts";
import { switchNoticesOff } from "../../domain/mails/switches.ts";
import type { Service } from "../../domain/service.ts";
import { Refusal } from "../../domain/values/errors.ts";

type Answering = Pick<Context, "request" | "set">;

/**
 * Switches mails off (RFC 8058): a mail program posts to the address in the mail, without a session, and so does the
 * page at that address. The answer is the same for every token.
 */
export function mailOffRoutes(
  service: Pick<Service, "store">,
  page: { answerMailOff(isOff: boolean, answering: Answering): Promise<unknown> },
) {
  return new Elysia({ normalize: false })
    .get(MAIL_OFF_ROUTE, ({ params, request, set }) => {
      requireKinds(params.kinds);
      return page.answerMailOff(false, { request, set });
    })
    .post(
      MAIL_OFF_ROUTE,
      async ({ params, request, set }) => {
        await switchNoticesOff(service, params.token, requireKinds(params.kinds));
        return page.answerMailOff(true, { request, set });
      },
      // Its body says nothing that the address doesn't.
      { parse: "none" },
    );
}

/** The kinds that a path names. Throws a Refusal `not_found` for a path that was cut off. */
function requireKinds(path: string): NoticeKind[] {
  const kinds = parseMailKinds(path);
  if (kinds.length === 0) throw new Refusal("not_found");
  return kinds;
}
