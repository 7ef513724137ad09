import { render } from "preact";
import type { ComponentChildren } from "preact";
import { answerOtherTabs } from "./browser/opened-here.ts";
import { currentPlace } from "./browser/places.ts";
import type { Place } from "./browser/places.ts";
import { followSignOuts } from "./browser/session-news.ts";
import { Frame } from "./frame/frame.tsx";
import { NoticeScreen } from "./frame/screens.tsx";
import { LANGUAGES } from "./languages/languages.ts";
import { LANGUAGE, STRINGS } from "./strings.ts";

/** Has the browser show what `toPage` makes of the place that its address names, for as long as the page is there. */
export function start(toPage: (place: Place) => ComponentChildren): void {
  const place = currentPlace();
  const { kind } = place;
  followSignOuts();
  answerOtherTabs();
  // Another link to the same place differs in its fragment alone, and the browser would not load the page for it.
  if (kind !== "activity" && kind !== "about") addEventListener("hashchange", () => location.reload());
  // A file that is dropped beside its field would be opened in place of the page, and what was typed be lost.
  for (const type of ["dragover", "drop"] as const) {
    addEventListener(type, (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  }

  document.documentElement.lang = LANGUAGE;
  document.documentElement.dir = LANGUAGES[LANGUAGE].direction;

  const root = document.getElementById("page") ?? document.body;
  root.replaceChildren();
  render(
    <Frame>
      {/* Without it the browser has no WebCrypto, and nobody could trust what it shows. */}
      {isSecureContext ? toPage(place) : <NoticeScreen notice={STRINGS.insecure} />}
    </Frame>,
    root,
  );
}
