import { NOTICE_KINDS } from "../../contract/states.ts";
import type { NoticeKind } from "../../contract/states.ts";

/** The route of the page that switches mails off, contract section 15. */
export const MAIL_OFF_ROUTE = "/mail-off/:token/:kinds";

/** The path of that page for mails of these kinds. The token opens nothing. */
export function mailOffPath(token: string, kinds: readonly NoticeKind[]): string {
  return `/mail-off/${token}/${kinds.join("-")}`;
}

/** The kinds in a path of that page, without those that this version doesn't know. */
export function parseMailKinds(kinds: string): NoticeKind[] {
  const named = kinds.split("-");
  return NOTICE_KINDS.filter((kind) => named.includes(kind));
}
