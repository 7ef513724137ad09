import { render } from "preact";
import type { ComponentChildren } from "preact";
import { answerOtherTabs } from "./browser/opened-here.ts";
import { currentPlace } from "./browser/places.ts";
import type { Place } from "./browser/places.ts";
import { followSignOuts } from "./browser/session-news.ts";
import { Frame } from "./frame/frame.tsx";
import { NoticeScreen } from "./frame/screens.tsx";
import { LANGUAGES } from "./languages/languages.ts";
import { LANGUAGE, PAGE } from "./texts/page.ts";

/** Renders what `toPage` returns for the address of the page. */
export function start(toPage: (place: Place) => ComponentChildren): void {
  const place = currentPlace();
  const { kind } = place;
  followSignOuts();
  answerOtherTabs();
  // A link to the same place differs only in its fragment, and the browser would not load the page again for it.
  if (kind !== "activity" && kind !== "about") addEventListener("hashchange", () => location.reload());
  // The browser would open a file dropped beside its field in place of the page, and lose what was typed.
  for (const type of ["dragover", "drop"] as const) {
    addEventListener(type, (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  }

  document.documentElement.lang = LANGUAGE;
  document.documentElement.dir = LANGUAGES[LANGUAGE].direction;

  const root = document.getElementById("page") ?? document.body;
  root.replaceChildren();
  render(
    <Frame>
      {/* An insecure context has no WebCrypto, and cannot be trusted. */}
      {isSecureContext ? toPage(place) : <NoticeScreen notice={PAGE.insecure} />}
    </Frame>,
    root,
  );
}
