import { forgetAll } from "./fragments.ts";
import { currentPlace, topUrl } from "./places.ts";
import { discardUnsaved, findUnsaved } from "./unsaved.ts";

type News = "signed-in" | "signed-out";
/** A tab asks the others whether they have something unsaved, and each that has says so. */
type Message = News | "unsaved?" | "unsaved";

/** A tab that does not answer so soon is asleep. */
const PATIENCE_MS = 300;

/** Between the tabs of one site in one browser; none hears what it says itself. */
const channel = new BroadcastChannel(`handoff ${topUrl()}`);

/** Tells the other tabs that somebody has signed in or out in this browser. */
export function announceSession(news: News): void {
  tell(news);
}

/** Resolves with whether another tab has something that signing out would lose. */
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

/** Calls `listener` whenever somebody signs in in another tab. Returns what ends it. */
export function onSignIn(listener: () => void): () => void {
  const hear = ({ data }: MessageEvent<Message>) => data === "signed-in" && listener();
  channel.addEventListener("message", hear);
  return () => channel.removeEventListener("message", hear);
}

/** Forgets what belongs to a person who signs out in another tab. Their screens reload; a link's screen stays. */
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
