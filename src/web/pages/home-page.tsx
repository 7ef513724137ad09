import { useEffect, useRef, useState } from "preact/hooks";
import { ActivityScreen } from "../activity/activity-screen.tsx";
import { useToCollect } from "../activity/to-collect.ts";
import { AskForm } from "../asking/ask-form.tsx";
import type { Tab } from "../frame/account.tsx";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { SendForm } from "../sending/send-form.tsx";
import { findPerson, onSessionOver } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { usePersonAccount } from "./accounts.ts";
import { FreshSession, takeFreshness } from "./fresh-sessions.tsx";
import { LandingPage, SignedOutPage } from "./landing-page.tsx";

/** The events of entering content: typing, choosing, dropping or pasting. */
const ENTERING = ["input", "drop", "paste"] as const;

type State = { readonly kind: "stranger" } | { readonly kind: "person"; readonly person: Person };

/** `/`, `/ask`, `/activity` and `/about`: the tabs of a signed-in person, or the start page of a stranger. */
export function HomePage({ purpose }: { readonly purpose: Tab | "about" }) {
  const { state, screen, setState } = useLoading<State>("home", begin, describeSessionFailure);
  const isFresh = useFreshness();
  const [waiting, setWaiting] = useState(0);
  const wasSignedIn = useRef(false);
  const person = state?.kind === "person" ? state.person : undefined;
  const signOut = usePersonAccount(person, { tab: purpose === "about" ? undefined : purpose, waiting }, setState);
  if (!state) return screen;
  if (person) wasSignedIn.current = true;
  // Only signed-in people see links to the other two, and signing out reloads their tabs.
  const isMissed = wasSignedIn.current || purpose === "ask" || purpose === "activity";
  if (!person) return isMissed ? <SignedOutPage /> : <LandingPage />;
  if (purpose === "about") return <About person={person} onCount={setWaiting} />;
  if (purpose === "activity") return <ActivityScreen person={person} onCount={setWaiting} />;
  return (
    <>
      {isFresh && <FreshSession person={person} onSignOut={signOut} />}
      <Form purpose={purpose} person={person} onCount={setWaiting} />
    </>
  );
}

/** True from signing in until something is entered, or the session ends. */
function useFreshness(): boolean {
  const [isFresh, setFresh] = useState(takeFreshness);
  useEffect(() => {
    if (!isFresh) return undefined;
    const end = () => setFresh(false);
    const stop = onSessionOver(end);
    for (const type of ENTERING) addEventListener(type, end);
    return () => {
      stop();
      for (const type of ENTERING) removeEventListener(type, end);
    };
  }, [isFresh]);
  return isFresh;
}

function About({ person, onCount }: { readonly person: Person; readonly onCount: (count: number) => void }) {
  useToCollect(person, onCount);
  return <LandingPage isSignedIn />;
}

function Form(props: {
  readonly purpose: "send" | "ask";
  readonly person: Person;
  readonly onCount: (count: number) => void;
}) {
  const { purpose, person, onCount } = props;
  useToCollect(person, onCount);
  return purpose === "send" ? <SendForm person={person} /> : <AskForm person={person} />;
}

async function begin(): Promise<State | Notice> {
  const person = await findPerson();
  return person ? { kind: "person", person } : { kind: "stranger" };
}
