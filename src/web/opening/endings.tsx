import { useEffect } from "preact/hooks";
import type { Secret } from "../../contract/secrets.ts";
import { claimSentAt, forget } from "../browser/fragments.ts";
import { openedHereAt, wasAskedHere } from "../browser/opened-here.ts";
import { readPast, rememberPast } from "../browser/past-links.ts";
import type { PastLink } from "../browser/past-links.ts";
import { Icon } from "../frame/icon.tsx";
import type { Notice } from "../frame/notices.ts";
import { NoticeScreen, Screen } from "../frame/screens.tsx";
import { describeFault, describeForgotten, WRONG_LINK } from "../parts/failures.ts";
import { formatPast, formatTime } from "../parts/formats.ts";
import { formatClock, formatCountdown } from "../parts/moments.ts";
import { LOCALE, STRINGS } from "../strings.ts";
import { useTimeLeft } from "../viewing/time-left.tsx";

const { open, ended, opened } = STRINGS;

/** The end that a secret has come to, for whoever has its link. */
export interface SecretEnd extends Notice {
  /** A thing to be done about it, if it was somebody else. */
  readonly warning?: string;
}

export function EndScreen({ end }: { readonly end: SecretEnd }) {
  return (
    <NoticeScreen notice={end}>
      {end.warning && (
        <div class="notice warn">
          <Icon name="warning" />
          <p>{end.warning}</p>
        </div>
      )}
    </NoticeScreen>
  );
}

/** The screen of a second click, while another tab of this browser can still repeat what it has opened. */
export function OpenedElsewhere(props: {
  readonly id: string;
  /** Epoch milliseconds; null while nobody knows whether it was opened. */
  readonly until: number | null;
  readonly onAgain: () => void;
  readonly onOver: () => void;
}) {
  const { id, until, onAgain, onOver } = props;
  const leftMs = useTimeLeft(until);
  const isOver = until !== null && leftMs === 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver]);
  const at = openedHereAt(id);
  const { title, text } = at === undefined ? ended.askedElsewhere : ended.openedElsewhere(formatClock(at, LOCALE));
  return (
    <Screen title={title} icon="opened" tone="good" lede={text}>
      {until !== null && <p>{ended.again(formatCountdown(leftMs))}</p>}
      <div class="buttons">
        <button type="button" class="button primary wide-on-phone" onClick={onAgain}>
          <Icon name="eye" />
          {at === undefined ? open.button : opened.showAgain}
        </button>
      </div>
    </Screen>
  );
}

/** The state of an address without its key, of which this tab has nothing. */
export function describeMissing(id: string): { readonly kind: "over"; readonly end: SecretEnd } | Notice {
  const past = readPast(id);
  const end = past && (describeLeft(past) ?? describePast(id));
  if (end) return { kind: "over", end };
  return past ? describeForgotten() : describeFault("no_key");
}

/** The state of a secret that this tab has opened, and whose link may open it again; undefined when that is not so. */
function describeLeft(past: PastLink): SecretEnd | undefined {
  if (past.kind !== "opened" || past.left === undefined || past.left === 0) return undefined;
  return { ...ended.openedOneOfSeveral(formatPast(past.at), past.left), icon: "success", tone: "good" };
}

/** The end of a secret that this browser has opened, or this tab asked for in vain; undefined when they did neither. */
function describePast(id: string): SecretEnd | undefined {
  const past = readPast(id);
  const openedAt = past?.kind === "opened" ? past.at : openedHereAt(id);
  if (openedAt !== undefined) return { ...ended.openedHere(formatPast(openedAt)), icon: "success", tone: "good" };
  if (past?.kind !== "lost") return undefined;
  // By the clock, so that the two can be compared.
  return { ...ended.claimLost(formatTime(past.endedAt), formatTime(past.askedAt)), icon: "opened", tone: "warn" };
}

/** Adds whether the secret may have been opened: surely not if this browser never asked for it. */
export function withOutcome(id: string, notice: Notice): Notice {
  const isOwn = claimSentAt(id) !== undefined;
  if (notice.canRetry !== true || (!isOwn && wasAskedHere(id))) return notice;
  // Nothing but the title is true of both: to wait, as the advice may be, would be wrong.
  if (isOwn && saysOnlyWhen(notice)) return { ...notice, lede: open.maybe, text: open.maybe };
  const add = (text: string) => `${text} ${isOwn ? open.maybe : open.notYet}`;
  return { ...notice, text: add(notice.text), ...(notice.lede === undefined ? {} : { lede: add(notice.lede) }) };
}

/** The same beside a button. What may have come of a claim of this tab's own stands above it, with what to do, and not again here. */
export function complainOf(id: string, notice: Notice): string {
  if (claimSentAt(id) === undefined) return withOutcome(id, notice).text;
  return saysOnlyWhen(notice) ? (notice.bare ?? STRINGS.failed.bare) : notice.text;
}

/** True for a failure whose text says nothing but when to try again. */
function saysOnlyWhen({ lede, text }: Notice): boolean {
  return lede !== undefined || text === STRINGS.failed.other;
}

/** Describes why a secret can't be opened any more. `sentAt` is when this tab asked for it without an answer. */
export function describeEnd(id: string, secret: Secret, sentAt: number | undefined): SecretEnd {
  const { state, ended_at: at, claims } = secret;
  void forget(id);
  const isLost = state === "claimed" && at !== null && sentAt !== undefined;
  const past = readPast(id);
  // However often it could be opened, that is over.
  if (past?.kind === "opened") rememberPast(id, { kind: "opened", at: past.at });
  if (!past)
    rememberPast(
      id,
      isLost ? { kind: "lost", askedAt: new Date(sentAt).toISOString(), endedAt: at } : { kind: "over" },
    );
  const when = at === null ? "" : formatPast(at);
  switch (state) {
    case "available":
      return WRONG_LINK;
    case "claimed":
      return describePast(id) ?? { ...describeClaims(claims, when), icon: "opened", tone: "warn" };
    case "expired":
      return { ...(claims === 0 ? ended.neverOpened(when) : ended.expired(when)), icon: "expired" };
    case "revoked":
      return { ...ended.revoked(when), icon: "revoked" };
  }
}

/** The end of a secret that somebody has opened, and who that was is not known here. */
function describeClaims(claims: number, when: string): SecretEnd {
  return claims > 1 ? ended.claimedTimes(claims, when) : ended.claimed(when);
}

/** The end of a secret that its reader has erased. Its link can open it `left` times more; null when that is not known. */
export function describeErased(left: number | null): SecretEnd {
  const notice = left === 0 ? opened.erased : left === null ? opened.erasedFromPage : opened.erasedHere(left);
  return { ...notice, icon: "success", tone: "good" };
}
