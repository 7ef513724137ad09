import { useRef } from "preact/hooks";
import type { Tab } from "../frame/account.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { findPerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { LandingPage, SignedOutPage } from "./landing-page.tsx";

/** A stranger loads nothing of the tabs. */
const loadPersonPage = () => loadPart(() => import("./person-page.tsx"));

type State =
  | { readonly kind: "stranger" }
  | { readonly kind: "person"; readonly person: Person; readonly part: Awaited<ReturnType<typeof loadPersonPage>> };

/** `/`, `/ask`, `/activity` and `/about`: the tabs of a signed-in person, or the start page of a stranger. */
export function HomePage({ purpose }: { readonly purpose: Tab | "about" }) {
  const { state, screen, setState } = useLoading<State>("home", begin, describeSessionFailure);
  const wasSignedIn = useRef(false);
  if (!state) return screen;
  if (state.kind === "person") {
    wasSignedIn.current = true;
    const { person, part } = state;
    return <part.PersonPage person={person} purpose={purpose} onLeft={setState} />;
  }
  // Only signed-in people see links to the other two, and signing out reloads their tabs.
  const isMissed = wasSignedIn.current || purpose === "ask" || purpose === "activity";
  return isMissed ? <SignedOutPage /> : <LandingPage />;
}

async function begin(): Promise<State | Notice> {
  const person = await findPerson();
  return person ? { kind: "person", person, part: await loadPersonPage() } : { kind: "stranger" };
}
