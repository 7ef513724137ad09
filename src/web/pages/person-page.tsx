import { useEffect, useState } from "preact/hooks";
import { ActivityScreen } from "../activity/activity-screen.tsx";
import { useToCollect } from "../activity/to-collect.ts";
import { AskForm } from "../asking/ask-form.tsx";
import type { Tab } from "../frame/account.ts";
import type { Notice } from "../frame/notices.ts";
import { SendForm } from "../sending/send-form.tsx";
import { onSessionOver } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { usePersonAccount } from "./accounts.ts";
import { FreshSession, takeFreshness } from "./fresh-sessions.tsx";
import { LandingPage } from "./landing-page.tsx";
import type { SignedOut } from "./sign-out.ts";

/** The events of entering content: typing, choosing, dropping or pasting. */
const ENTERING = ["input", "drop", "paste"] as const;

/** The tabs of a signed-in person. `onLeft` is called with the next state of the page. */
export function PersonPage(props: {
  readonly person: Person;
  readonly purpose: Tab | "about";
  readonly onLeft: (next: SignedOut | Notice) => void;
}) {
  const { person, purpose, onLeft } = props;
  const isFresh = useFreshness();
  const [waiting, setWaiting] = useState(0);
  const signOut = usePersonAccount(person, { tab: purpose === "about" ? undefined : purpose, waiting }, onLeft);
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
