import type { ComponentType } from "preact";
import { useRef } from "preact/hooks";
import { topUrl } from "../browser/places.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { findVisitor } from "../service/clients.ts";
import type { Person, Visitor } from "../service/clients.ts";
import { readsAudit, tabsOf } from "../service/scopes.ts";
import { LandingPage, SignedOutPage } from "./landing-page.tsx";
import type { Purpose, TabContent } from "./person-page.tsx";
import type { SignedOut } from "./sign-out.ts";

/** A stranger loads nothing of the tabs, and a person only the one that is open. */
const loadPersonPage = () => loadPart(() => import("./person-page.tsx"));
const CONTENTS: Readonly<Record<Exclude<Purpose, "about">, () => Promise<TabContent>>> = {
  send: async () => (await import("../sending/send-form.tsx")).SendForm,
  ask: async () => (await import("../asking/ask-form.tsx")).AskForm,
  activity: async () => (await import("../activity/activity-screen.tsx")).ActivityScreen,
  account: async () => (await import("../account/account-screen.tsx")).AccountScreen,
  audit: async () => (await import("../auditing/audit-screen.tsx")).AuditScreen,
};

type State =
  | { readonly kind: "stranger"; readonly ways: Visitor["ways"]; readonly ProviderSignIn: ComponentType | undefined }
  | {
      readonly kind: "person";
      readonly person: Person;
      readonly part: Awaited<ReturnType<typeof loadPersonPage>>;
      /** Undefined for the start page, and for somebody who may use no tab. */
      readonly Content: TabContent | undefined;
    };

/** True for a kind of place that has its own screen here. */
export function isPurpose(kind: string): kind is Exclude<Purpose, "send"> {
  return kind === "about" || (kind !== "send" && Object.hasOwn(CONTENTS, kind));
}

/**
 * `/`, `/ask`, `/activity`, `/account`, `/audit` and `/about`: what a signed-in person sees, or the start page of a
 * stranger.
 */
export function HomePage({ purpose }: { readonly purpose: Purpose }) {
  const { state, screen, setState } = useLoading<State>("home", () => begin(purpose), describeSessionFailure);
  const wasSignedIn = useRef(false);
  if (!state) return screen;
  if (state.kind === "person") {
    wasSignedIn.current = true;
    const { person, part, Content } = state;
    return (
      <part.PersonPage
        person={person}
        purpose={purpose}
        Content={Content}
        onLeft={(next) => void leave(next, person).then(setState)}
      />
    );
  }
  // Only signed-in people see links to the others, and signing out reloads their tabs.
  const isMissed = wasSignedIn.current || (purpose !== "send" && purpose !== "about");
  const { ways, ProviderSignIn } = state;
  const Start = isMissed ? SignedOutPage : LandingPage;
  return <Start ways={ways} ProviderSignIn={ProviderSignIn} />;
}

async function begin(purpose: Purpose): Promise<State | Notice> {
  const { person, ways } = await findVisitor();
  if (!person) {
    const part = await loadProviderPart(ways);
    if (purpose !== "about") await part?.signInSilently();
    return { kind: "stranger", ways, ProviderSignIn: part?.ProviderSignIn };
  }
  const own = purposeFor(person, purpose);
  if (own !== undefined && own !== purpose) return leaveFor(own);
  const [part, Content] = await Promise.all([
    loadPersonPage(),
    own === undefined || own === "about" ? undefined : loadPart(CONTENTS[own]),
  ]);
  return { kind: "person", person, part, Content };
}

/** The part for single sign-on, where the server has it. Without it the start page still opens links. */
async function loadProviderPart(ways: Visitor["ways"]) {
  return ways.includes("oidc") ? import("./provider-sign-in.tsx").catch(() => undefined) : undefined;
}

/** The state after a person has signed out, or could not. */
async function leave(next: SignedOut | Notice, { ways }: Person): Promise<State | Notice> {
  if (!("kind" in next)) return next;
  return { ...next, ways, ProviderSignIn: (await loadProviderPart(ways))?.ProviderSignIn };
}

/** What a person sees in place of what they may not use: the first that they may. Undefined when there is none. */
function purposeFor(person: Person, purpose: Purpose): Purpose | undefined {
  const places: readonly Purpose[] = [...tabsOf(person), ...(readsAudit(person) ? (["audit"] as const) : [])];
  return purpose === "about" || purpose === "account" || places.includes(purpose) ? purpose : places[0];
}

/** Goes to another place. The mark of a fresh session goes along. Never resolves. */
function leaveFor(purpose: Purpose): Promise<never> {
  location.replace(`${topUrl()}${purpose === "send" ? "/" : `/${purpose}`}${location.hash}`);
  return new Promise(() => undefined);
}
