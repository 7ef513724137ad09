import { claimOf, noteClaimSent } from "./fragments.ts";
import type { MadeClaim } from "./fragments.ts";
import { topUrl } from "./places.ts";

/*
 * A second click on a link may open another tab. The tabs of one browser share only two things for it:
 *
 * - While a tab can repeat its claim, it tells other tabs the claim's idempotency key. The key opens nothing without
 *   the link, which the other tab must have itself. Links, keys in links and content are never sent. A tab tells
 *   nothing once it is closed, has erased the secret, or can no longer repeat the claim.
 * - localStorage keeps for 30 days the ID of a secret, and when it was opened here. Signing out does not delete it:
 *   otherwise a person's own opening would look like another person's. Without a record, the page makes no statement.
 */

/** A tab that takes longer is asleep. */
const PATIENCE_MS = 300;
/** A tab that holds the lock for longer hangs. */
const TURN_MS = 2000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const PREFIX = "handoff opened ";

/** Connects the tabs of one site in one browser. A tab does not receive its own messages. */
const channel = new BroadcastChannel(`handoff claims ${topUrl()}`);

type Message =
  | { readonly kind: "asked"; readonly id: string }
  | { readonly kind: "told"; readonly id: string; readonly claim: MadeClaim };

interface OpenedRecord {
  /** RFC 3339. */
  readonly at: string;
  /** False when the claim was sent, but not answered. */
  readonly isOpened: boolean;
}

/** Answers other tabs with the claims that this tab can repeat. Returns a function that stops it. */
export function answerOtherTabs(): () => void {
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data) || data.kind !== "asked") return;
    const claim = claimOf(data.id);
    if (claim) tell({ kind: "told", id: data.id, claim });
  };
  channel.addEventListener("message", hear);
  return () => channel.removeEventListener("message", hear);
}

/**
 * Finds a claim of `id` that another tab can repeat, to take over with `adoptClaim`; undefined when no tab answers.
 * Resolves at once when this browser has no record of such a claim, otherwise within 300 milliseconds.
 */
export function findClaimElsewhere(id: string): Promise<MadeClaim | undefined> {
  return readRecord(id) === undefined ? Promise.resolve(undefined) : askOtherTabs(id);
}

/** The same for any secret, within `patienceMs`. */
export function askOtherTabs(id: string, patienceMs = PATIENCE_MS): Promise<MadeClaim | undefined> {
  return new Promise((resolve) => {
    const finish = (claim: MadeClaim | undefined) => {
      channel.removeEventListener("message", hear);
      clearTimeout(timer);
      resolve(claim);
    };
    const hear = ({ data }: MessageEvent<unknown>) => {
      if (isMessage(data) && data.kind === "told" && data.id === id) finish(data.claim);
    };
    const timer = setTimeout(() => finish(undefined), patienceMs);
    channel.addEventListener("message", hear);
    tell({ kind: "asked", id });
  });
}

/**
 * Returns another tab's claim to take over with `adoptClaim`, or records that this tab sends one and returns undefined.
 * Of several tabs that start at the same moment, only one gets undefined.
 */
export async function beginClaim(id: string): Promise<MadeClaim | undefined> {
  const begin = async (find: typeof findClaimElsewhere) => {
    const claim = await find(id);
    if (claim) return claim;
    rememberClaimSent(id);
    noteClaimSent(id);
    return undefined;
  };
  try {
    const { locks } = navigator;
    const name = `handoff claim ${topUrl()} ${id}`;
    return await locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock) return begin(findClaimElsewhere);
      // The other tab's latest write may not be readable here yet. That tab is awake, so a slow answer is worth waiting
      // for.
      const ask = () => askOtherTabs(id, TURN_MS);
      return locks.request(name, { signal: AbortSignal.timeout(TURN_MS) }, () => begin(ask));
    });
  } catch {
    // There are no locks before Safari 15.4 and Firefox 96, or when storage is blocked, and a hanging tab keeps its
    // lock.
    return begin(askOtherTabs);
  }
}

/** Records that a claim is about to be sent. From now on other tabs ask this one. */
export function rememberClaimSent(id: string): void {
  if (!readRecord(id)) writeRecord(id, { at: new Date().toISOString(), isOpened: false });
}

/** Records that all claims sent so far were refused. */
export function forgetClaimSent(id: string): void {
  if (readRecord(id)?.isOpened === false) inStorage((storage) => storage.removeItem(PREFIX + id));
}

/** Records that the secret was opened. Showing it again keeps the time of the first opening. */
export function rememberOpened(id: string): void {
  if (!readRecord(id)?.isOpened) writeRecord(id, { at: new Date().toISOString(), isOpened: true });
}

/** When the secret was first opened in this browser (RFC 3339), within the last 30 days; undefined when it was not. */
export function openedHereAt(id: string): string | undefined {
  const record = readRecord(id);
  return record?.isOpened ? record.at : undefined;
}

/** True when this browser sent a claim of the secret in the last 30 days, whatever its outcome. */
export function wasAskedHere(id: string): boolean {
  return readRecord(id) !== undefined;
}

/** True when a page of this site may have left files in this browser, see `opened-files.ts`. */
export function mayHaveFiles(): boolean {
  return inStorage((storage) => storage.getItem("handoff files")) === "1";
}

function tell(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage(message);
}

/** True for a message of this version's format: tabs may run other versions of the page. */
function isMessage(data: unknown): data is Message {
  const { kind, id, claim } = (data ?? {}) as {
    readonly kind?: unknown;
    readonly id?: unknown;
    readonly claim?: Partial<MadeClaim>;
  };
  if (typeof id !== "string") return false;
  if (kind === "asked") return true;
  const { idempotencyKey, until } = claim ?? {};
  const isTime = until === null || (typeof until === "number" && until > Date.now());
  return kind === "told" && typeof idempotencyKey === "string" && /^[\w-]{1,255}$/.test(idempotencyKey) && isTime;
}

/** Returns the record of a secret; undefined when there is none, or it is too old. */
function readRecord(id: string): OpenedRecord | undefined {
  return inStorage((storage) => parseKept(storage.getItem(PREFIX + id)));
}

/** Writes a record, and deletes those that are too old. */
function writeRecord(id: string, record: OpenedRecord): void {
  inStorage((storage) => {
    for (const key of Object.keys(storage)) {
      if (key.startsWith(PREFIX) && !parseKept(storage.getItem(key))) storage.removeItem(key);
    }
    storage.setItem(PREFIX + id, JSON.stringify(record));
    return undefined;
  });
}

function parseKept(text: string | null): OpenedRecord | undefined {
  if (text === null) return undefined;
  try {
    const { at, isOpened } = JSON.parse(text) as Partial<OpenedRecord>;
    const age = Date.now() - Date.parse(at ?? "");
    return at !== undefined && Math.abs(age) <= KEPT_MS ? { at, isOpened: isOpened === true } : undefined;
  } catch {
    return undefined;
  }
}

/** Even reading the property throws in browsers that are set to block storage. */
function inStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
