import { useRef, useState } from "preact/hooks";
import type { RequestSummary } from "../../contract/requests.ts";
import type { SecretState } from "../../contract/states.ts";
import { AskForm } from "../asking/ask-form.tsx";
import { AskedList } from "../asking/asked-list.tsx";
import { useAccount } from "../frame/account.tsx";
import type { Account, Tab } from "../frame/account.tsx";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { describeSessionFailure } from "../parts/failures.ts";
import { SendForm } from "../sending/send-form.tsx";
import { SentList } from "../sending/sent-list.tsx";
import { findPerson } from "../service/clients.ts";
import type { Person } from "../service/clients.ts";
import { LandingPage } from "./landing-page.tsx";
import { leaveSession } from "./sign-out.ts";

type State = { readonly kind: "stranger" } | { readonly kind: "person"; readonly person: Person };

/** `/`, `/ask` and `/activity`: a person sends or asks, and sees what became of it; a stranger is told what this is. */
export function HomePage({ purpose }: { readonly purpose: Tab }) {
  const { state, screen, setState } = useLoading<State>("home", begin, describeSessionFailure);
  const isLeaving = useRef(false);
  const onSignOut = async (person: Person) => {
    if (isLeaving.current) return;
    isLeaving.current = true;
    const next = await leaveSession(person);
    if (next) setState(next);
    isLeaving.current = false;
  };
  const person = state?.kind === "person" ? state.person : undefined;
  useAccount(person && accountOf(person, purpose, () => void onSignOut(person)));
  if (!state) return screen;
  if (!person) return <LandingPage />;
  switch (purpose) {
    case "send":
      return <Sending person={person} />;
    case "ask":
      return <Asking person={person} />;
    case "activity":
      return (
        <>
          <SentList person={person} onRead={() => undefined} />
          <AskedList person={person} onRead={() => undefined} />
        </>
      );
  }
}

function accountOf({ credential: { identity, team } }: Person, tab: Tab, onSignOut: () => void): Account {
  return { name: identity?.name ?? "", team: team?.name ?? "", tab, waiting: 0, onSignOut };
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

async function begin(): Promise<State | Notice> {
  const person = await findPerson();
  return person ? { kind: "person", person } : { kind: "stranger" };
}
