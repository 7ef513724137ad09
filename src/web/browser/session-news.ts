import { forgetAll } from "./fragments.ts";
import { currentPlace, topUrl } from "./places.ts";
import { forgetProvider } from "./provider-marks.ts";
import { discardUnsaved, findUnsaved } from "./unsaved.ts";

type News = "signed-in" | "signed-out";
/** A tab asks with "unsaved?", and each tab with something unsaved answers "unsaved". */
type Message = News | "unsaved?" | "unsaved";

/** A tab that takes longer is asleep. */
const PATIENCE_MS = 300;

/** Connects the tabs of one site in one browser. A tab does not receive its own messages. */
const channel = new BroadcastChannel(`handoff ${topUrl()}`);

/** Tells the other tabs that a person has signed in or out in this browser. */
export function announceSession(news: News): void {
  forgetProvider();
  tell(news);
}

/** Resolves with true when signing out would lose something unsaved in another tab. */
export function hasUnsavedElsewhere(): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isUnsaved: boolean) => {
      channel.removeEventListener("message", hear);
      resolve(isUnsaved);
    };
    const hear = ({ data }: MessageEvent<Message>) => data === "unsaved" && finish(true);
    channel.addEventListener("message", hear);
    setTimeout(() => finish(false), PATIENCE_MS);
    tell("unsaved?");
  });
}

function tell(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage(message);
}

/** Calls `listener` whenever a person signs in in another tab. Returns a function that stops it. */
export function onSignIn(listener: () => void): () => void {
  const hear = ({ data }: MessageEvent<Message>) => data === "signed-in" && listener();
  channel.addEventListener("message", hear);
  return () => channel.removeEventListener("message", hear);
}

/**
 * Clears this tab when its person signs out in another one. A screen that needs the session reloads, so that typed text
 * leaves memory too. A screen of a link keeps the link, which does not belong to the session.
 */
export function followSignOuts(): void {
  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    const { kind, id } = currentPlace();
    const isOfLink = kind === "secret" || kind === "request" || kind === "sign-in";
    if (data === "unsaved?" && !isOfLink && findUnsaved() !== undefined) tell("unsaved");
    if (data !== "signed-out") return;
    const forgotten = forgetAll(isOfLink ? id || kind : undefined);
    if (isOfLink) return;
    discardUnsaved();
    document.body.replaceChildren();
    void forgotten.finally(() => location.reload());
  });
}
