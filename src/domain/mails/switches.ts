import type { PersonCaller } from "../callers.ts";
import type { NoticeReader, NoticeStore, WantedNotices } from "../ports/notices.ts";
import type { Random } from "../ports/sources.ts";
import type { ServerPolicy } from "../server-policies.ts";
import { Refusal } from "../values/errors.ts";
import { isTimeZone } from "./time-zones.ts";

const OFF_TOKEN_BYTES = 16;
const NOTHING: WantedNotices = { opened: false, ending: false, handedIn: false };

interface NoticeDeps {
  readonly store: NoticeStore;
  readonly random: Random;
  readonly policy: ServerPolicy;
}

/** The mails that the caller wants. Throws a Refusal `not_found` where no mails are sent. */
export async function findNotices(
  { store, policy }: NoticeDeps,
  { person }: Pick<PersonCaller, "person">,
): Promise<WantedNotices> {
  checkMails(policy);
  return (await store.findNotices(person.id)) ?? NOTHING;
}

/**
 * Changes which mails the caller wants, and resolves them after that. Throws a Refusal: `not_found` where no mails are
 * sent, `credential_invalid` for a person who was removed.
 */
export async function setNotices(
  { store, policy, random }: NoticeDeps,
  { person }: Pick<PersonCaller, "person">,
  change: Partial<WantedNotices>,
  { language, timeZone }: NoticeReader,
): Promise<WantedNotices> {
  checkMails(policy);
  const offToken = random.bytes(OFF_TOKEN_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
  const reader = { language, timeZone: isTimeZone(timeZone) ? timeZone : "UTC" };
  const after = await store.setNotices(person.id, change, reader, offToken);
  if (!after) throw new Refusal("credential_invalid");
  return after;
}

function checkMails({ sendsMails }: ServerPolicy): void {
  if (!sendsMails) throw new Refusal("not_found", { detail: "This server sends no mails." });
}
