import { useRef, useState } from "preact/hooks";
import { ClientError } from "../../client/errors.ts";
import { signOut } from "../../client/sessions.ts";
import type { RequestSummary } from "../../contract/requests.ts";
import type { SecretState } from "../../contract/states.ts";
import { AskForm } from "../asking/ask-form.tsx";
import { AskedList } from "../asking/asked-list.tsx";
import { countUsefulKeys } from "../asking/asked.ts";
import { forgetAgeIdentities } from "../browser/age-identities.ts";
import { forgetAll } from "../browser/fragments.ts";
import { topUrl } from "../browser/places.ts";
import { announceSession, hasUnsavedElsewhere } from "../browser/session-news.ts";
import { mayLose } from "../browser/unsaved.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import type { Notice } from "../parts/failures.ts";
import { useLoading } from "../parts/loading.tsx";
import { SendForm } from "../sending/send-form.tsx";
import { SentList } from "../sending/sent-list.tsx";
import { findPerson, requirePerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { STRINGS } from "../strings.ts";
import { LandingPage } from "./landing-page.tsx";

const { home } = STRINGS;

type State = { readonly kind: "stranger" } | { readonly kind: "person"; readonly person: Person };

/** The purpose for which somebody who is signed in is here. */
type Purpose = "send" | "ask";

/** `/` and `/ask`: a person sends or asks, and sees what became of it; somebody who is not signed in is told what this is. */
export function HomePage({ purpose }: { readonly purpose: Purpose }) {
  const { state, screen, setState } = useLoading<State>("home", begin, describeSessionFailure);
  const isLeaving = useRef(false);
  if (!state) return screen;
  switch (state.kind) {
    case "stranger":
      return <LandingPage />;
    case "person": {
      const { person } = state;
      const { identity, team } = person.credential;
      const onSignOut = async () => {
        if (isLeaving.current) return;
        isLeaving.current = true;
        setState((await leave(person)) ?? state);
        isLeaving.current = false;
      };
      return (
        <>
          <p class="signed-in">
            <span>{home.signedIn(identity?.name ?? "", team?.name ?? "")}</span>
            <button type="button" class="plain" onClick={() => void onSignOut()}>
              {home.signOut}
            </button>
          </p>
          <Navigation purpose={purpose} />
          {purpose === "send" ? <Sending person={person} /> : <Asking person={person} />}
        </>
      );
    }
  }
}

function Sending({ person }: { readonly person: Person }) {
  const [states, setStates] = useState<ReadonlyMap<string, SecretState>>(new Map());
  return (
    <>
      <SendForm person={person} states={states} />
      <SentList person={person} onRead={(secrets) => setStates(new Map(secrets.map(({ id, state }) => [id, state])))} />
    </>
  );
}

function Asking({ person }: { readonly person: Person }) {
  const [requests, setRequests] = useState<ReadonlyMap<string, RequestSummary>>(new Map());
  return (
    <>
      <AskForm person={person} requests={requests} />
      <AskedList person={person} onRead={(all) => setRequests(new Map(all.map((each) => [each.id, each])))} />
    </>
  );
}

function Navigation({ purpose }: { readonly purpose: Purpose }) {
  return (
    <nav aria-label={home.navigation}>
      <a href={`${topUrl()}/`} aria-current={purpose === "send" ? "page" : undefined}>
        {home.send}
      </a>
      <a href={`${topUrl()}/ask`} aria-current={purpose === "ask" ? "page" : undefined}>
        {home.ask}
      </a>
    </nav>
  );
}

async function begin(): Promise<State | Notice> {
  const person = await findPerson();
  return person ? { kind: "person", person } : { kind: "stranger" };
}

/** Asks where something would be lost, signs out, and forgets the keys of `person`. Undefined when they want to stay. */
async function leave(person: Person): Promise<State | Notice | undefined> {
  if (!mayLose()) return undefined;
  if ((await hasUnsavedElsewhere()) && !confirm(home.unsavedElsewhere)) return undefined;
  const keys = await countUsefulKeys(person);
  // The session of somebody else does not see what the keys are of use for.
  const problem = await findOtherPerson(person);
  if (problem) return problem;
  if (keys > 0) {
    if (!confirm(home.sureSignOut(keys))) return undefined;
    // The question may have stood there for long.
    const late = await findOtherPerson(person);
    if (late) return late;
  }
  if (!(await endSession())) return home.stillSignedIn;
  await forgetAll();
  const isForgotten = await forgetAgeIdentities(person.id);
  announceSession("signed-out");
  return isForgotten || keys === 0 ? { kind: "stranger" } : home.keysLeft;
}

/** The notice for when somebody else is signed in by now, whom this page must not sign out; undefined otherwise. */
async function findOtherPerson(person: Person): Promise<Notice | undefined> {
  try {
    await requirePerson(person);
    return undefined;
  } catch (error) {
    if (error instanceof ClientError && error.code === "other_person") return describeSessionFailure(error);
    // Ending the session says what is wrong with the server, and a session that is over can be left too.
    return undefined;
  }
}

/** False when the server did not end the session, which then goes on. */
async function endSession(): Promise<boolean> {
  try {
    return await signOut(topUrl());
  } catch {
    return false;
  }
}
