import { NOTICE_KINDS } from "../../contract/states.ts";
import type { NoticeKind } from "../../contract/states.ts";
import type { NoticeStore, NoticeSwitches } from "../ports/notices.ts";
import { deriveOffToken, hashToken } from "../values/tokens.ts";
import { wants } from "./notices.ts";

/** The route of the page that switches mails off, contract section 15. */
export const MAIL_OFF_ROUTE = "/mail-off/:person/:kinds/:token";

/** The path of that page for mails of these kinds to a person. Its token does nothing else. */
export function mailOffPath(of: Pick<NoticeSwitches, "identityId" | "offSeed">, kinds: readonly NoticeKind[]): string {
  return `/mail-off/${of.identityId}/${kinds.join("-")}/${tokenOf(of, kinds)}`;
}

/** The parts of a path of that page. */
export interface MailOff {
  readonly person: string;
  readonly kinds: string;
  readonly token: string;
}

/** The kinds that a path switches off, and whether its person wants one of them. */
export interface FoundMailOff {
  readonly kinds: readonly NoticeKind[];
  readonly isWanted: boolean;
}

/** Whether mails are to be switched off, are off, or the address does so no more. */
export type MailOffState = "asks" | "off" | "stale";

/** What a path switches off; undefined when it was cut off, or mails were switched on since it was sent. */
export async function findMailOff(
  store: Pick<NoticeStore, "findNotices">,
  { person, kinds, token }: MailOff,
): Promise<FoundMailOff | undefined> {
  const named = kinds.split("-");
  const known = NOTICE_KINDS.filter((kind) => named.includes(kind));
  const switches = known.length === 0 ? undefined : await store.findNotices(person);
  if (!switches) return undefined;
  // By their hashes, so that the time it takes says nothing about the right one.
  const isRight = hashToken(tokenOf(switches, known)).toHex() === hashToken(token).toHex();
  return isRight ? { kinds: known, isWanted: known.some((kind) => wants(switches, kind)) } : undefined;
}

function tokenOf({ offSeed }: Pick<NoticeSwitches, "offSeed">, kinds: readonly NoticeKind[]): string {
  return deriveOffToken(offSeed, NOTICE_KINDS.filter((kind) => kinds.includes(kind)).join("-"));
}
