import { NOTICE_KINDS } from "../../contract/states.ts";
import type { NoticeKind } from "../../contract/states.ts";
import type { IdentityRecord } from "../ports/identities.ts";
import type { MailRecord } from "../ports/mails.ts";
import type { EndingKey, Notice, NoticeSwitches, WantedNotices } from "../ports/notices.ts";
import type { SecretRecord } from "../ports/secrets.ts";
import { asksAt, mayDecide } from "../values/approvals.ts";
import type { Approvable } from "../values/approvals.ts";
import { stateAt } from "../values/expiry.ts";

// When people get mails about what happens to their secrets, contract section 15.

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The number of mails in a minute after which the rest is gathered. */
const MAILS_IN_MINUTE = 5;
/** The number of notices that one mail lists. */
const LISTED_NOTICES = 20;
/** How long a notice is tried, and how old what it says may be. */
export const NOTICE_PATIENCE_MS = DAY_MS;
/** How long before its end an unopened secret is mentioned. */
export const ENDING_MS = DAY_MS;
/** How long before its end a key is mentioned. */
export const KEY_ENDING_MS = 7 * DAY_MS;

const SWITCHES = {
  opened: "opened",
  ending: "ending",
  handed_in: "handedIn",
  asked: "asked",
} as const satisfies Record<NoticeKind, keyof WantedNotices>;

/** True when a person wants mails of this kind. */
export function wants(wanted: WantedNotices, kind: NoticeKind): boolean {
  return wanted[SWITCHES[kind]];
}

/** The change that switches mails of these kinds off. */
export function offChange(kinds: readonly NoticeKind[]): Partial<WantedNotices> {
  return Object.fromEntries(kinds.map((kind) => [SWITCHES[kind], false]));
}

/** True when a person wants any mail. */
export function wantsAny({ opened, ending, handedIn, asked }: WantedNotices): boolean {
  return opened || ending || handedIn || asked;
}

/** What of a secret decides whether somebody is mailed about an ask for its approval. */
export type AskedSecret = Approvable & Pick<SecretRecord, "id" | "state" | "createdAt" | "expiresAt" | "reference">;

/** What of a person decides whether they may approve. The name is their address. */
export type Approver = Pick<IdentityRecord, "id" | "name" | "scopes">;

/** The notice for a person about an ask; undefined when it doesn't wait any more, or they may not decide it. */
export function askNotice(secret: AskedSecret, askId: string, person: Approver, now: number): Notice | undefined {
  const { id, reference, createdAt } = secret;
  const found = stateAt(secret, now) === "available" && asksAt(secret, now).find((each) => each.id === askId);
  if (!found || found.state !== "waiting" || !person.scopes.includes("secrets:approve")) return undefined;
  if (!mayDecide(secret, found, { id: person.id, address: person.name })) return undefined;
  const { words, address, until } = found;
  return { kind: "asked", id, reference, createdAt, at: until, ask: { id: askId, words, address } };
}

/** When the mail with a notice is given up. */
export function patienceFor(notice: Notice, now: number): number {
  const end = now + NOTICE_PATIENCE_MS;
  return notice.kind === "asked" ? Math.min(end, notice.at) : end;
}

type Burst = Pick<NoticeSwitches, "burstAt" | "burstCount">;

/**
 * Counts a notice at `now`, and decides when its mail is sent: at once, or, after five in a minute, with all others
 * when the minute is over. While notices keep coming like that, there is one mail in a minute.
 */
export function nextBurst(before: Burst, now: number): Burst & { readonly sendAt: number } {
  const age = now - before.burstAt;
  const isOver = age < 0 || age >= MINUTE_MS;
  const goesOn = isOver && age < 2 * MINUTE_MS && before.burstCount > MAILS_IN_MINUTE;
  const burst = isOver
    ? { burstAt: now, burstCount: goesOn ? MAILS_IN_MINUTE + 1 : 1 }
    : { burstAt: before.burstAt, burstCount: before.burstCount + 1 };
  return { ...burst, sendAt: burst.burstCount > MAILS_IN_MINUTE ? burst.burstAt + MINUTE_MS : now };
}

/** The notices of a mail, and the number of those that it doesn't list. */
interface Listed {
  readonly notices: readonly Notice[];
  readonly more: number;
}

/** The data of a mail with notices for the person `identityId`. */
export function toNoticeData(identityId: string, { notices, more }: Listed): MailRecord["data"] {
  return { identity: identityId, notices: JSON.stringify(notices), more: String(more) };
}

/** The notices in the data of a mail, without any that a database wasn't given by this program. */
export function noticesOf({ notices = "", more = "0" }: MailRecord["data"]): Listed {
  return { notices: parseList(notices).filter(isNotice), more: Number.parseInt(more, 10) || 0 };
}

/** Adds a notice to those of a mail. */
export function withNotice({ notices, more }: Listed, notice: Notice): Listed {
  return notices.length < LISTED_NOTICES ? { notices: [...notices, notice], more } : { notices, more: more + 1 };
}

/** The data of a mail about keys. */
export function toKeyData(keys: readonly EndingKey[]): MailRecord["data"] {
  return { keys: JSON.stringify(keys) };
}

/** The keys in the data of a mail, in the same way. */
export function keysOf({ keys = "" }: MailRecord["data"]): EndingKey[] {
  return parseList(keys).filter(isEndingKey);
}

function parseList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isNotice(value: unknown): value is Notice {
  const { kind, id, reference, createdAt, at, ask } = Object(value) as Partial<Notice & { readonly ask: unknown }>;
  if (!NOTICE_KINDS.some((each) => each === kind) || (kind === "asked" && !isAsk(ask))) return false;
  return isText(id) && isTextOrNull(reference) && isTime(createdAt) && isTime(at);
}

function isAsk(value: unknown): boolean {
  const { id, words, address } = Object(value) as Readonly<Record<string, unknown>>;
  return isText(id) && isText(words) && isTextOrNull(address);
}

function isEndingKey(value: unknown): value is EndingKey {
  const { id, identity, team, expiresAt } = Object(value) as Partial<EndingKey>;
  return isText(id) && isText(identity) && isText(team) && isTime(expiresAt);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

/** True for epoch milliseconds that a date can have. */
function isTime(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(new Date(value).getTime());
}
