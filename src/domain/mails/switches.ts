import type { NoticeKind } from "../../contract/states.ts";
import type { PersonCaller } from "../callers.ts";
import type { NoticeReader, NoticeStore, WantedNotices } from "../ports/notices.ts";
import type { Random } from "../ports/sources.ts";
import { canBeMailed } from "../server-policies.ts";
import type { ServerPolicy } from "../server-policies.ts";
import { Refusal } from "../values/errors.ts";
import { findMailOff } from "./off-paths.ts";
import type { MailOff } from "./off-paths.ts";
import { isTimeZone } from "./time-zones.ts";

const OFF_SEED_BYTES = 16;
const NOTHING: WantedNotices = { opened: false, ending: false, handedIn: false, asked: false };

interface NoticeDeps {
  readonly store: NoticeStore;
  readonly random: Random;
  readonly policy: ServerPolicy;
}

/** The mails that the caller wants. Throws a Refusal `not_found` when none can be sent to them. */
export async function findNotices(
  { store, policy }: NoticeDeps,
  { person }: Pick<PersonCaller, "person">,
): Promise<WantedNotices> {
  checkMails(policy, person);
  return (await store.findNotices(person.id)) ?? NOTHING;
}

/**
 * Changes which mails the caller wants, and resolves them after that. Throws a Refusal: `not_found` when none can be
 * sent to them, `credential_invalid` for a person who was removed.
 */
export async function setNotices(
  { store, policy, random }: NoticeDeps,
  { person }: Pick<PersonCaller, "person">,
  change: Partial<WantedNotices>,
  { language, timeZone }: NoticeReader,
): Promise<WantedNotices> {
  checkMails(policy, person);
  const offSeed = random.bytes(OFF_SEED_BYTES).toBase64({ alphabet: "base64url", omitPadding: true });
  const reader = { language, timeZone: isTimeZone(timeZone) ? timeZone : "UTC" };
  const after = await store.setNotices(person.id, change, reader, offSeed);
  if (!after) throw new Refusal("credential_invalid");
  return after;
}

/**
 * Switches mails off by the address in one of them. Resolves their kinds; undefined, with nothing changed, when it was
 * cut off, or mails were switched on since it was sent.
 */
export async function switchNoticesOff(
  { store }: Pick<NoticeDeps, "store">,
  off: MailOff,
): Promise<readonly NoticeKind[] | undefined> {
  // Anybody can call this, and no write may wait for them.
  const found = await findMailOff(store, off);
  if (found?.isWanted) await store.switchNoticesOff(off.person, found.kinds);
  return found?.kinds;
}

function checkMails(policy: ServerPolicy, person: PersonCaller["person"]): void {
  if (!canBeMailed(policy, person)) throw new Refusal("not_found", { detail: "This server sends you no mails." });
}
