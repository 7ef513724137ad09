import type { EventFeed, EventRecord } from "../ports/events.ts";
import type { NoticeStore } from "../ports/notices.ts";
import type { Clock, Random } from "../ports/sources.ts";
import type { WebhookStore } from "../ports/webhooks.ts";

/** How often every team is read, for what no event tells: secrets that end, and events of other processes. */
const ROUND_MS = 60_000;
/** How often the ends of keys are read. */
const KEYS_ROUND_MS = 3_600_000;
const SEED_BYTES = 16;

export interface Noticer {
  /** Queues the mails that people want about what has happened, unless another process does. */
  look(): Promise<void>;
  stop(): void;
}

export interface NoticerDeps {
  readonly store: NoticeStore & EventFeed & Pick<WebhookStore, "mayCallWebhooks">;
  readonly clock: Clock;
  readonly random: Random;
  /** Where the ends of keys are mailed; undefined for nowhere. */
  readonly contact: string | undefined;
  /** Called with the first of several failures of the storage, which is retried. */
  readonly onError: (error: unknown) => void;
}

/**
 * Creates what queues notices. It reads on in the log of each team with people who want mails, as webhooks do. `look`
 * must be called regularly.
 */
export function createNoticer({ store, clock, random, contact, onError }: NoticerDeps): Noticer {
  /** The teams with events that somebody may want a mail about. */
  const woken = new Set<string>();
  let [roundAt, keysAt] = [-Infinity, -Infinity];
  let looking: Promise<void> | undefined;
  let isStopped = false;
  let isFailing = false;
  const unsubscribe = store.subscribe((event) => {
    if (isOfInterest(event)) woken.add(event.teamId);
  });
  const newId = () => random.bytes(SEED_BYTES).toHex();

  const readTeam = async (teamId: string): Promise<void> => {
    const seed = newId();
    for (let page = 0; !isStopped && (await store.queueNotices(teamId, `${seed}.${page}`));) page += 1;
  };
  const read = async (): Promise<void> => {
    const now = clock.now();
    const [isRound, isKeysRound] = [now - roundAt >= ROUND_MS, now - keysAt >= KEYS_ROUND_MS];
    if ((!isRound && woken.size === 0) || !(await store.mayCallWebhooks())) return;
    const wanting = await store.listNoticeTeams();
    const due = isRound ? wanting : wanting.filter((teamId) => woken.has(teamId));
    // Before they are read: an event that comes meanwhile is read by the next look.
    woken.clear();
    for (const teamId of due) if (!isStopped) await readTeam(teamId);
    if (isRound) roundAt = now;
    if (!isKeysRound || contact === undefined) return;
    await store.queueKeyEnds(contact, newId());
    keysAt = now;
  };
  return {
    look() {
      looking ??= read()
        .then(
          () => void (isFailing = false),
          (error: unknown) => {
            if (!isFailing && !isStopped) onError(error);
            isFailing = true;
            // Teams that weren't read are read then.
            roundAt = -Infinity;
          },
        )
        .finally(() => void (looking = undefined));
      return looking;
    },
    stop() {
      isStopped = true;
      unsubscribe();
    },
  };
}

function isOfInterest({ type, requestId }: EventRecord): boolean {
  if (type === "secret.claimed" || type === "secret.approval_asked") return true;
  return type === "secret.created" && requestId !== null;
}
