import { forgetAll } from "./fragments.ts";
import { currentPlace, topUrl } from "./places.ts";
import { discardUnsaved } from "./unsaved.ts";

type News = "signed-in" | "signed-out";

/** Between the tabs of one site in one browser; none hears what it says itself. */
const channel = new BroadcastChannel(`handoff ${topUrl()}`);

/** Tells the other tabs that somebody has signed in or out in this browser. */
export function announceSession(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage(news);
}

/** Calls `listener` whenever somebody signs in in another tab. Returns what ends it. */
export function onSignIn(listener: () => void): () => void {
  const hear = ({ data }: MessageEvent<News>) => data === "signed-in" && listener();
  channel.addEventListener("message", hear);
  return () => channel.removeEventListener("message", hear);
}

/**
 * Has this tab forget what belongs to whoever signs out in another one. A screen of theirs is loaded anew, so that
 * nothing is left in memory either, typed text included; a screen of a link keeps that link, which is not theirs.
 */
export function followSignOuts(): void {
  channel.addEventListener("message", ({ data }: MessageEvent<News>) => {
    if (data !== "signed-out") return;
    const { kind, id } = currentPlace();
    const isOfLink = kind === "secret" || kind === "request" || kind === "sign-in";
    const forgotten = forgetAll(isOfLink ? id || kind : undefined);
    if (isOfLink) return;
    discardUnsaved();
    document.body.replaceChildren();
    void forgotten.finally(() => location.reload());
  });
}
