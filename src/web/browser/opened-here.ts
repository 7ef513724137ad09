import { claimOf, noteClaimSent } from "./fragments.ts";
import type { MadeClaim } from "./fragments.ts";
import { topUrl } from "./places.ts";

/*
 * Tabs of one browser share what a second click on a link needs, and nothing else.
 *
 * - Between tabs, while one lives that can repeat its claim: the idempotency key of that claim. It opens nothing without the
 *   link, which the tab that asks must have itself; neither link, key in the link nor content is ever told. A tab that was
 *   closed, has erased the secret, or is past the end of the replay has nothing to tell.
 * - In localStorage, for 30 days: the id of a secret and when it was opened here. It stays when somebody signs out: without it
 *   their own opening would look like somebody else's. Where nothing is kept, nothing is known.
 */

/** A tab that does not answer so soon is asleep. */
const PATIENCE_MS = 300;
/** A tab that has its turn for longer hangs. */
const TURN_MS = 2000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const PREFIX = "handoff opened ";

/** Between the tabs of one site in one browser; none hears what it says itself. */
const channel = new BroadcastChannel(`handoff claims ${topUrl()}`);

type Message =
  | { readonly kind: "asked"; readonly id: string }
  | { readonly kind: "told"; readonly id: string; readonly claim: MadeClaim };

interface OpenedRecord {
  /** RFC 3339. */
  readonly at: string;
  /** False while the claim was only sent. */
  readonly isOpened: boolean;
}

/** Tells other tabs that ask of the claims that this one can repeat. Returns what ends it. */
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
 * The claim of the link to `id` that another tab can repeat, to be taken over with `adoptClaim`; undefined when none says so.
 * Resolves at once where this browser has sent no claim of it, as far as it knows, and else within 300 milliseconds.
 */
export function findClaimElsewhere(id: string): Promise<MadeClaim | undefined> {
  return readRecord(id) === undefined ? Promise.resolve(undefined) : askOtherTabs(id);
}

/** The same within `patienceMs`, for every secret. */
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

/** The claim that another tab has sent, for `adoptClaim`; undefined when this tab may send one, which it then notes. */
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
      // What the other tab has just written may not be readable here so soon. It is awake, so that a slow answer is worth waiting for.
      const ask = () => askOtherTabs(id, TURN_MS);
      return locks.request(name, { signal: AbortSignal.timeout(TURN_MS) }, () => begin(ask));
    });
  } catch {
    // There are no locks before Safari 15.4 and Firefox 96, or where nothing may be stored, and a tab that hangs keeps its own.
    return begin(askOtherTabs);
  }
}

/** A claim of the secret is about to be sent: from now on other tabs ask this one. */
export function rememberClaimSent(id: string): void {
  if (!readRecord(id)) writeRecord(id, { at: new Date().toISOString(), isOpened: false });
}

/** Nothing came of the claims that were sent. */
export function forgetClaimSent(id: string): void {
  if (readRecord(id)?.isOpened === false) inStorage((storage) => storage.removeItem(PREFIX + id));
}

/** The secret was opened. The time of the first opening stays when it is shown again. */
export function rememberOpened(id: string): void {
  if (!readRecord(id)?.isOpened) writeRecord(id, { at: new Date().toISOString(), isOpened: true });
}

/** The time (RFC 3339) at which the secret was first opened in this browser, of the last 30 days; undefined when it was not. */
export function openedHereAt(id: string): string | undefined {
  const record = readRecord(id);
  return record?.isOpened ? record.at : undefined;
}

/** True when a claim of the secret was sent in this browser in the last 30 days, whatever became of it. */
export function wasAskedHere(id: string): boolean {
  return readRecord(id) !== undefined;
}

function tell(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage(message);
}

/** True for what a tab of ours says: another version of the page may say something else. */
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

/** The record of a secret; undefined when there is none, or it is too old. */
function readRecord(id: string): OpenedRecord | undefined {
  return inStorage((storage) => parseKept(storage.getItem(PREFIX + id)));
}

/** Writes a record, and removes those that are too old. */
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

/** A browser can be set to let nothing be stored, and then even asking throws. */
function inStorage<T>(work: (storage: Storage) => T): T | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
