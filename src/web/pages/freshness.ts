import { topUrl } from "../browser/places.ts";
import { announceSession } from "../browser/session-news.ts";

/** The fragment of the page's address right after signing in. */
export const FRESH = "signed-in";

/** Opens the page of the person who has signed in: the tab whose address they came to, or the first. */
export function openFresh(): void {
  announceSession("signed-in");
  const [tab = "/"] = /\/(ask|activity|account)$/.exec(location.pathname) ?? [];
  location.assign(`${topUrl()}${tab}#${FRESH}`);
  // There only the fragment has changed.
  if (tab !== "/") location.reload();
}

/** True right after signing in; removes the fragment from the address bar. */
export function takeFreshness(): boolean {
  if (location.hash !== `#${FRESH}`) return false;
  history.replaceState(null, "", location.pathname);
  return true;
}
