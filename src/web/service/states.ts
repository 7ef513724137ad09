import type { Secret } from "../../contract/secrets.ts";
import type { ShownState } from "../parts/state-chip.tsx";
import { ACTIVITY } from "../texts/activity.ts";
import type { AskedRow } from "./asked.ts";

const { activity: words } = ACTIVITY;

/** The state of a secret as its sender sees it. */
export function stateOfSecret({ state, claims, max_claims: most }: Secret): ShownState {
  switch (state) {
    case "available":
      return claims === 0
        ? { text: words.states.waiting, icon: "waiting", tone: "wait" }
        : { text: words.states.openedSome(claims, most), icon: "opened", tone: "wait" };
    case "claimed":
      return { text: words.states.opened, icon: "opened", tone: "good" };
    case "expired":
      return {
        text: claims === 0 ? words.states.neverOpened : words.states.expired,
        icon: "expired",
        tone: undefined,
      };
    case "revoked":
      return { text: words.states.revoked, icon: "revoked", tone: undefined };
  }
}

/** The state of a request as the person who asked sees it. */
export function stateOfRequest(asked: AskedRow): ShownState {
  const { request, waiting, opened, expired, revoked, hasKey, isUncounted } = asked;
  const { state, submission_count: count, max_submissions: most } = request;
  if (waiting > 0) {
    const text = words.states.toCollect(waiting);
    return hasKey
      ? { text, icon: "inbox", tone: "wait" }
      : { text: words.states.noKey(waiting), icon: "key", tone: "warn" };
  }
  const isOpen = state === "open" || state === "paused";
  if (isOpen && count > 0) return { text: words.states.handedIn(count, most), icon: "inbox", tone: "wait" };
  switch (state) {
    case "open":
      return { text: words.states.nothingYet, icon: "waiting", tone: "wait" };
    case "paused":
      return { text: words.states.paused, icon: "waiting", tone: undefined };
    case "fulfilled":
    case "expired":
    case "revoked":
      break;
  }
  if (count === 0) {
    return state === "revoked"
      ? { text: words.states.revoked, icon: "revoked", tone: undefined }
      : { text: words.states.expired, icon: "expired", tone: undefined };
  }
  if (isUncounted) return { text: words.states.handedIn(count, most), icon: "inbox", tone: undefined };
  return opened === count
    ? { text: words.states.collected, icon: "check", tone: "good" }
    : {
        text: words.states.partlyOpened(opened, expired, revoked),
        icon: opened > 0 ? "check" : "expired",
        tone: undefined,
      };
}
