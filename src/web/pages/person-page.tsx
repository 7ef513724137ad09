import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useToCollect } from "../activity/to-collect.ts";
import type { Tab } from "../frame/account.ts";
import type { Notice } from "../frame/notices.ts";
import { onSessionOver } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { usePersonAccount } from "./accounts.ts";
import { FreshSession, takeFreshness } from "./fresh-sessions.tsx";
import { LandingPage } from "./landing-page.tsx";
import type { SignedOut } from "./sign-out.ts";

/** The events of entering content: typing, choosing, dropping or pasting. */
const ENTERING = ["input", "drop", "paste"] as const;

/** The content of a tab. `onCount` is called with the number of secrets to collect. */
export type TabContent = (props: {
  readonly person: Person;
  readonly onCount: (count: number) => void;
}) => ComponentChildren;

/** A tab of a signed-in person. `onLeft` is called with the next state of the page. */
export function PersonPage(props: {
  readonly person: Person;
  readonly purpose: Tab | "about";
  /** The content of the tab; undefined for the start page, which has none. */
  readonly Content: TabContent | undefined;
  readonly onLeft: (next: SignedOut | Notice) => void;
}) {
  const { person, purpose, Content, onLeft } = props;
  const isFresh = useFreshness();
  const [waiting, setWaiting] = useState(0);
  const signOut = usePersonAccount(person, { tab: purpose === "about" ? undefined : purpose, waiting }, onLeft);
  return (
    <>
      {isFresh && <FreshSession person={person} onSignOut={signOut} />}
      {purpose !== "activity" && <ToCollect person={person} onCount={setWaiting} />}
      {Content ? <Content person={person} onCount={setWaiting} /> : <LandingPage isSignedIn />}
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

/** Counts what can be collected, on the tabs that don't list it. */
function ToCollect({ person, onCount }: { readonly person: Person; readonly onCount: (count: number) => void }) {
  useToCollect(person, onCount);
  return null;
}
