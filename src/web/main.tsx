import { render } from "preact";
import { answerOtherTabs } from "./browser/opened-here.ts";
import { currentPlace } from "./browser/places.ts";
import { followSignOuts } from "./browser/session-news.ts";
import { Frame } from "./frame/frame.tsx";
import { NoticeScreen } from "./frame/screens.tsx";
import { LANGUAGES } from "./languages/languages.ts";
import { CollectPage } from "./pages/collect-page.tsx";
import { HomePage } from "./pages/home-page.tsx";
import { OpenPage } from "./pages/open-page.tsx";
import { SignInPage } from "./pages/sign-in-page.tsx";
import { SubmitPage } from "./pages/submit-page.tsx";
import { LANGUAGE, STRINGS } from "./strings.ts";

const { kind, id } = currentPlace();

function Page() {
  // Without it the browser has no WebCrypto, and nobody could trust what it shows.
  if (!isSecureContext) return <NoticeScreen notice={STRINGS.insecure} />;
  switch (kind) {
    case "secret":
      return <OpenPage id={id} />;
    case "request":
      return <SubmitPage id={id} />;
    case "sign-in":
      return <SignInPage />;
    case "collect":
      return <CollectPage id={id} />;
    case "home":
      return <HomePage purpose="send" />;
    case "ask":
      return <HomePage purpose="ask" />;
    case "activity":
      return <HomePage purpose="activity" />;
    case "about":
      return <HomePage purpose="about" />;
  }
}

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
    <Page />
  </Frame>,
  root,
);
