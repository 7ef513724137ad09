import { useEffect } from "preact/hooks";
import type { Secret } from "../../contract/secrets.ts";
import { claimSentAt, forget } from "../browser/fragments.ts";
import { openedHereAt, wasAskedHere } from "../browser/opened-here.ts";
import { readPast, rememberPast } from "../browser/past-links.ts";
import type { PastLink } from "../browser/past-links.ts";
import { Icon } from "../frame/icon.tsx";
import type { Notice } from "../frame/notices.ts";
import { Screen } from "../frame/screens.tsx";
import { describeFault, describeForgotten, WRONG_LINK } from "../parts/failures.ts";
import { formatPast, formatTime } from "../parts/formats.ts";
import { formatClock, formatCountdown } from "../parts/moments.ts";
import { Warning } from "../parts/warning.tsx";
import { OPENING } from "../texts/opening.ts";
import { LOCALE, PAGE } from "../texts/page.ts";
import { useTimeLeft } from "../viewing/time-left.tsx";
import { findKeptAsk } from "./approvals.ts";
import { AskEnd } from "./ask-first.tsx";

const { open, ended, opened } = OPENING;
const { titles } = ended;

/** The screen of a second click, while another tab of this browser can repeat its claim. */
export function OpenedElsewhere(props: {
  readonly id: string;
  /** When that ends, in epoch milliseconds; null while the outcome of the claim is unknown. */
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
  const { title, text } =
    at === undefined
      ? ended.askedElsewhere
      : { title: titles.openedByYou, text: ended.openedElsewhere(formatClock(at, LOCALE)) };
  return (
    <Screen title={title} icon="opened" envelope="over" isCentered lede={text}>
      {until !== null && <p>{ended.again(formatCountdown(leftMs))}</p>}
      <div class="buttons">
        <button type="button" class="button primary" onClick={onAgain}>
          <Icon name="eye" />
          {at === undefined ? open.button : opened.showAgain}
        </button>
      </div>
    </Screen>
  );
}

/** The state of an address without a key, in a tab that keeps no link for it. */
export function describeMissing(id: string): Notice {
  const past = readPast(id);
  if (!past) return describeFault("no_key");
  return describeLeft(past) ?? describePast(id) ?? describeForgotten();
}

/** The end for a link that this tab has opened, and that can be opened again; undefined for any other. */
function describeLeft(past: PastLink): Notice | undefined {
  if (past.kind !== "opened" || past.left === undefined || past.left === 0) return undefined;
  return describeOwn(ended.openedOneOfSeveral(formatPast(past.at), past.left));
}

/** The end of a secret that was opened in this browser, or whose answer this tab lost; undefined for any other. */
function describePast(id: string): Notice | undefined {
  const past = readPast(id);
  const openedAt = past?.kind === "opened" ? past.at : openedHereAt(id);
  if (openedAt !== undefined) return describeOwn(ended.openedHere(formatPast(openedAt)));
  if (past?.kind !== "lost") return undefined;
  // Both times are absolute, so that they can be compared.
  return describeOpened(ended.claimLost(formatTime(past.endedAt), formatTime(past.askedAt)));
}

/** The end of a secret that was opened in this browser. */
function describeOwn(text: string): Notice {
  return { title: titles.openedByYou, text, envelope: "over" };
}

/** The end of a secret that somebody else may have opened. With `id`, nothing is known of a claim from here. */
function describeOpened({ text, warning }: { readonly text: string; readonly warning: string }, id?: string): Notice {
  // Who waits for an approval knows that they didn't open it.
  const below = id !== undefined && findKeptAsk(id) ? <AskEnd /> : <Warning>{warning}</Warning>;
  return { title: titles.opened, text, below, envelope: "over" };
}

/**
 * Adds to a failure whether the secret may have been opened. Only a secret never claimed from this browser was
 * certainly not opened here.
 */
export function withOutcome(id: string, notice: Notice): Notice {
  const isOwn = claimSentAt(id) !== undefined;
  if (notice.canRetry !== true || (!isOwn && wasAskedHere(id))) return notice;
  // Only the title still applies: advice to wait would be wrong for a claim that can be repeated.
  if (isOwn && saysOnlyWhen(notice)) return { ...notice, lede: open.maybe, text: open.maybe };
  const add = (text: string) => `${text} ${isOwn ? open.maybe : open.notYet}`;
  return { ...notice, text: add(notice.text), ...(notice.lede === undefined ? {} : { lede: add(notice.lede) }) };
}

/** The same for a complaint beside a button. The outcome of this tab's own claim is shown above the button already. */
export function complainOf(id: string, notice: Notice): string {
  if (claimSentAt(id) === undefined) return withOutcome(id, notice).text;
  return saysOnlyWhen(notice) ? (notice.bare ?? PAGE.failed.bare) : notice.text;
}

/** True for a failure whose text only says when to try again. */
function saysOnlyWhen({ lede, text }: Notice): boolean {
  return lede !== undefined || text === PAGE.failed.other;
}

/**
 * Returns the end of a secret that can no longer be opened here, and forgets its link. `sentAt` is when this tab sent a
 * claim whose outcome is unknown.
 */
export function describeEnd(id: string, secret: Secret, sentAt: number | undefined): Notice {
  const { state, ended_at: at, claims } = secret;
  void forget(id);
  const isLost = state === "claimed" && at !== null && sentAt !== undefined;
  const past = readPast(id);
  // Nothing is left, whatever the earlier count was.
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
      return (
        describePast(id) ?? describeOpened(claims > 1 ? ended.claimedTimes(claims, when) : ended.claimed(when), id)
      );
    case "expired":
      return {
        title: titles.expired,
        text: claims === 0 ? ended.neverOpened(when) : ended.expired(when),
        envelope: "over",
      };
    case "revoked":
      return { ...ended.revoked(when), envelope: "over" };
  }
}

/** The end of a secret that its reader erased. `left` is how often its link can still be opened; null when unknown. */
export function describeErased(left: number | null): Notice {
  const notice = left === 0 ? opened.erased : opened.erasedHere(left === null ? opened.canClose : opened.left(left));
  return { ...notice, envelope: "over" };
}
