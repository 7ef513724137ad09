import type { Letter, Mailer, MailKind, MailRecord, MailStore, SignInDomain } from "../ports/mails.ts";
import type { NoticeStore } from "../ports/notices.ts";
import type { Clock } from "../ports/sources.ts";
import type { WebhookStore } from "../ports/webhooks.ts";
import { deriveCode } from "../values/tokens.ts";
import { codesOf } from "./accounts.ts";
import { createNewcomerLimit } from "./newcomers.ts";
import { keysOf, noticesOf, wants } from "./notices.ts";

/** The most mails that are being sent at once. Each has a connection of its own. */
const AT_ONCE = 5;
/** The pause after the first vain try; each further one is twice as long, and no longer than the other. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 120_000;
/** How long running mails may take when the server stops. */
const GRACE_MS = 2000;

const CROWDED = { result: "delayed", reason: "Too many new addresses of its domain ask for codes." } as const;

/** The result of a try. */
type MailResult = "sent" | "delayed" | "refused" | "expired";

export interface MailSender {
  /** Sends what is due, unless another process does. Resolves once it has begun. */
  look(): Promise<void>;
  /** Resolves when nothing is due and nothing is being sent. */
  settle(): Promise<void>;
  /** The numbers of tries, by kind and result, since the start. */
  counts(): readonly { readonly kind: MailKind; readonly result: MailResult; readonly count: number }[];
  /** Waits a moment for running mails. The rest stays queued. */
  stop(): Promise<void>;
}

export interface MailSenderDeps {
  readonly store: MailStore &
    Pick<NoticeStore, "findNotices" | "listCurrentNotices"> &
    Pick<WebhookStore, "mayCallWebhooks">;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly domains: readonly SignInDomain[];
  /** Called with the first of several failures of the storage, which is retried. */
  readonly onError: (error: unknown) => void;
  /** Called with every vain try. The reason has no address and no code. */
  readonly onFailure: (mail: MailRecord, result: Exclude<MailResult, "sent">, reason: string) => void;
}

/**
 * Creates the sender of queued mails. The process that calls webhooks sends them. A mail whose end wasn't stored when
 * the process ended is sent again, with the same ID. `look` must be called regularly, for mails of other processes and
 * for further tries.
 */
export function createMailSender(deps: MailSenderDeps): MailSender {
  const { store, clock, mailer } = deps;
  const running = new Map<string, Promise<void>>();
  /** The mails that are over and still have to be deleted. No failure of the storage may send one of them again. */
  const over = new Set<string>();
  const counts = new Map<MailKind, Map<MailResult, number>>();
  const giveUp = new AbortController();
  const mayMailNewcomer = createNewcomerLimit(clock);
  let isStopped = false;
  let isFailing = false;
  let looking: Promise<void> | undefined;

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped) deps.onError(error);
      isFailing = true;
    }
  };
  const note = (mail: MailRecord, result: MailResult, reason = "") => {
    const ofKind = counts.get(mail.kind) ?? new Map<MailResult, number>();
    counts.set(mail.kind, ofKind.set(result, (ofKind.get(result) ?? 0) + 1));
    if (result !== "sent") deps.onFailure(mail, result, reason);
  };
  const end = async ({ id }: MailRecord): Promise<void> => {
    over.add(id);
    await store.deleteMail(id);
    over.delete(id);
  };
  const send = async (mail: MailRecord): Promise<void> => {
    if (over.has(mail.id)) return end(mail);
    if (mail.endsAt <= clock.now()) {
      note(mail, "expired", "Its time is over.");
      return end(mail);
    }
    const letter = await findLetter(deps, mail, mayMailNewcomer);
    // Of an address that nobody has, nothing is said anywhere. Nobody gets a mail that they want no more, or about an
    // ask that was decided.
    if (!letter) return end(mail);
    const outcome = letter === "crowded" ? CROWDED : await mailer.send(letter, giveUp.signal);
    // It stays queued for the next start.
    if (outcome.result !== "sent" && giveUp.signal.aborted) return undefined;
    note(mail, outcome.result, "reason" in outcome ? outcome.reason : "");
    if (outcome.result !== "delayed") return end(mail);
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** mail.tries);
    return store.postponeMail(mail.id, Math.min(mail.endsAt, clock.now() + pause));
  };
  /** Sends what is due as far as there is room, and resolves with the number of mails begun. */
  const begin = async (): Promise<number> => {
    if (isStopped || running.size >= AT_ONCE) return 0;
    // One that ends while the queue is read may still be in what was read.
    const begunBefore = new Set(running.keys());
    const due = (await store.listDueMails(AT_ONCE + running.size)).filter(({ id }) => !begunBefore.has(id));
    if (due.length === 0 || !(await store.mayCallWebhooks())) return 0;
    const begun = due.slice(0, AT_ONCE - running.size);
    for (const mail of begun) {
      const sending = attempt(() => send(mail)).finally(() => {
        running.delete(mail.id);
        // The next one takes its place.
        if (!isStopped && !isFailing) void look();
      });
      running.set(mail.id, sending);
    }
    return begun.length;
  };
  const look = (): Promise<void> => {
    // A look that runs may have read the queue before a mail was added.
    looking = (looking ?? Promise.resolve()).then(() => attempt(async () => void (await begin())));
    return looking;
  };
  return {
    look,
    async settle() {
      for (;;) {
        await look();
        if (running.size === 0) return;
        await Promise.all(running.values());
      }
    },
    counts: () =>
      [...counts].flatMap(([kind, ofKind]) => [...ofKind].map(([result, count]) => ({ kind, result, count }))),
    async stop() {
      isStopped = true;
      await looking;
      const timer = setTimeout(() => giveUp.abort(), GRACE_MS);
      await Promise.all(running.values());
      clearTimeout(timer);
    },
  };
}

/** The mail with all that it says; undefined when nobody is to get it, and "crowded" for a newcomer who has to wait. */
async function findLetter(
  deps: Pick<MailSenderDeps, "store" | "domains">,
  mail: MailRecord,
  mayMailNewcomer: (address: string) => boolean,
): Promise<Letter | "crowded" | undefined> {
  const { id, kind, language, data, address } = mail;
  if (kind === "notices") return findNotices(deps, mail);
  if (kind === "key_ends") {
    const keys = keysOf(data);
    return keys.length === 0 ? undefined : { id, kind, language, address, keys };
  }
  if (kind === "passkey_added") {
    return { id, kind, language, address, browser: data["browser"], system: data["system"] };
  }
  if (kind === "proof_code") {
    const { seed = "", subject = "", browser, system } = data;
    return { id, kind, language, address, code: deriveCode(seed, subject), browser, system };
  }
  const account = await deps.store.findMailAccount(address, deps.domains);
  if (account?.people.length === 0 && !mayMailNewcomer(account.address)) return "crowded";
  const { seed = "", browser, system } = data;
  return account && { id, kind, language, address: account.address, codes: codesOf(seed, account), browser, system };
}

async function findNotices(
  { store }: Pick<MailSenderDeps, "store">,
  { id, language, data, address }: MailRecord,
): Promise<Letter | undefined> {
  const switches = await store.findNotices(data["identity"] ?? "");
  if (!switches) return undefined;
  const { identityId, timeZone, offSeed } = switches;
  const { notices, more } = noticesOf(data);
  const current = await store.listCurrentNotices(identityId, notices);
  const wanted = current.filter(({ kind }) => wants(switches, kind));
  if (wanted.length === 0) return undefined;
  return { id, kind: "notices", language, address, notices: wanted, more, identityId, timeZone, offSeed };
}
