import { render } from "preact";
import { CollectPage } from "./collect-page.tsx";
import { HomePage } from "./home-page.tsx";
import { OpenPage } from "./open-page.tsx";
import { currentPlace } from "./places.ts";
import { Frame, NoticeScreen } from "./screens.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { STRINGS } from "./strings.ts";
import { SubmitPage } from "./submit-page.tsx";

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
  }
}

// Another link to the same place differs in its fragment alone, and the browser would not load the page for it.
addEventListener("hashchange", () => location.reload());
// A file that is dropped beside its field would be opened in place of the page, and what was typed be lost.
for (const type of ["dragover", "drop"]) addEventListener(type, (event) => event.preventDefault());

const root = document.getElementById("page") ?? document.body;
root.replaceChildren();
render(
  <Frame>
    <Page />
  </Frame>,
  root,
);
