import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SignInParts } from "../account/sign-in-again.tsx";
import { hasWaiting, useWaiting } from "../activity/waiting.ts";
import { NOTHING_WAITS } from "../frame/account.ts";
import type { Tab, Waiting } from "../frame/account.ts";
import type { Notice } from "../frame/notices.ts";
import { Screen } from "../frame/screens.tsx";
import { onSessionOver } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { tabsOf } from "../service/scopes.ts";
import { LANDING } from "../texts/landing.ts";
import { MailSwitch, usePersonAccount } from "./accounts.tsx";
import { FreshSession } from "./fresh-sessions.tsx";
import { takeFreshness } from "./freshness.ts";
import { LandingPage } from "./landing-page.tsx";
import { MAIL_KIT } from "./mail-kits.ts";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import type { SignedOut } from "./sign-out.ts";

/** What a person sees: a tab, their account, the audit of their team, or the start page. */
export type Purpose = Tab | "account" | "audit" | "about";

/** The events of entering content: typing, choosing, dropping or pasting. */
const ENTERING = ["input", "drop", "paste"] as const;

/** The ways to sign in again. */
const PARTS: SignInParts = {
  PasskeySignIn,
  loadProvider: () => import("./provider-sign-in.tsx"),
  loadMail: async () => {
    const { MailSignIn } = await import("./mail-sign-in.tsx");
    return {
      SignIn: ({ address, onSignedIn }) => (
        <MailSignIn kit={{ ...MAIL_KIT, goOn: onSignedIn }} hasPasskeys={false} known={address} />
      ),
    };
  },
};

/** The content of a tab or of the account. `onCount` is called with the numbers of what waits for the person. */
export type TabContent = (props: {
  readonly person: Person;
  readonly onCount: (waiting: Waiting) => void;
  readonly parts: SignInParts;
  /** Asks before something is lost, and signs out in this browser. */
  readonly onSignOut: () => void;
  /** The switch for mails about what the person sends. */
  readonly MailSwitch: typeof MailSwitch;
}) => ComponentChildren;

/** A tab of a signed-in person, their account, or the start page. `onLeft` gets the next state of the page. */
export function PersonPage(props: {
  readonly person: Person;
  readonly purpose: Purpose;
  /** Undefined for the start page, and for somebody who may use no tab. */
  readonly Content: TabContent | undefined;
  readonly onLeft: (next: SignedOut | Notice) => void;
}) {
  const { person, purpose, Content, onLeft } = props;
  const isFresh = useFreshness();
  const [waiting, setWaiting] = useState(NOTHING_WAITS);
  const tab = purpose === "about" || purpose === "account" || purpose === "audit" ? undefined : purpose;
  const signOut = usePersonAccount(person, { tab, waiting }, onLeft);
  return (
    <>
      {isFresh && <FreshSession person={person} onSignOut={signOut} />}
      {purpose !== "activity" && hasWaiting(person) && <WaitingCount person={person} onCount={setWaiting} />}
      {Content && (
        <Content person={person} parts={PARTS} onCount={setWaiting} onSignOut={signOut} MailSwitch={MailSwitch} />
      )}
      {purpose === "about" && <LandingPage tabs={tabsOf(person)} ways={person.ways} />}
      {purpose !== "about" && !Content && <NothingAllowed />}
    </>
  );
}

/** The screen of somebody who may use no tab. */
function NothingAllowed() {
  const { title, text } = LANDING.nothingAllowed;
  return <Screen title={title} icon="lock" lede={text} width="narrow" />;
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

/** Counts what waits for a person, on the tabs that don't list it. */
function WaitingCount({ person, onCount }: { readonly person: Person; readonly onCount: (waiting: Waiting) => void }) {
  useWaiting(person, onCount);
  return null;
}
