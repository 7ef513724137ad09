import { render } from "preact";
import { LandingPage } from "./landing-page.tsx";
import { OpenPage } from "./open-page.tsx";
import { Frame, NoticeScreen } from "./screens.tsx";
import { STRINGS } from "./strings.ts";
import { SubmitPage } from "./submit-page.tsx";

const [, place, id = ""] = /\/(s|r)\/(\w+)$/.exec(location.pathname) ?? [];

function Page() {
  // Without it the browser has no WebCrypto, and nobody could trust what it shows.
  if (!isSecureContext && place !== undefined) return <NoticeScreen notice={STRINGS.insecure} />;
  if (place === "s") return <OpenPage id={id} />;
  if (place === "r") return <SubmitPage id={id} />;
  return <LandingPage />;
}

// Another link to the same place differs in its fragment alone, and the browser would not load the page for it.
addEventListener("hashchange", () => location.reload());

const root = document.getElementById("page") ?? document.body;
root.replaceChildren();
render(
  <Frame>
    <Page />
  </Frame>,
  root,
);
