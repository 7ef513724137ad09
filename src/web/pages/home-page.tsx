import { useRef } from "preact/hooks";
import type { Tab } from "../frame/account.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { findPerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { LandingPage, SignedOutPage } from "./landing-page.tsx";
import type { TabContent } from "./person-page.tsx";

/** A stranger loads nothing of the tabs, and a person only the one that is open. */
const loadPersonPage = () => loadPart(() => import("./person-page.tsx"));
const TABS: Readonly<Record<Tab, () => Promise<TabContent>>> = {
  send: async () => (await import("../sending/send-form.tsx")).SendForm,
  ask: async () => (await import("../asking/ask-form.tsx")).AskForm,
  activity: async () => (await import("../activity/activity-screen.tsx")).ActivityScreen,
};

type State =
  | { readonly kind: "stranger" }
  | {
      readonly kind: "person";
      readonly person: Person;
      readonly part: Awaited<ReturnType<typeof loadPersonPage>>;
      readonly Content: TabContent | undefined;
    };

/** `/`, `/ask`, `/activity` and `/about`: the tabs of a signed-in person, or the start page of a stranger. */
export function HomePage({ purpose }: { readonly purpose: Tab | "about" }) {
  const { state, screen, setState } = useLoading<State>("home", () => begin(purpose), describeSessionFailure);
  const wasSignedIn = useRef(false);
  if (!state) return screen;
  if (state.kind === "person") {
    wasSignedIn.current = true;
    const { person, part, Content } = state;
    return <part.PersonPage person={person} purpose={purpose} Content={Content} onLeft={setState} />;
  }
  // Only signed-in people see links to the other two, and signing out reloads their tabs.
  const isMissed = wasSignedIn.current || purpose === "ask" || purpose === "activity";
  return isMissed ? <SignedOutPage /> : <LandingPage />;
}

async function begin(purpose: Tab | "about"): Promise<State | Notice> {
  const person = await findPerson();
  if (!person) return { kind: "stranger" };
  const [part, Content] = await Promise.all([
    loadPersonPage(),
    purpose === "about" ? undefined : loadPart(TABS[purpose]),
  ]);
  return { kind: "person", person, part, Content };
}
