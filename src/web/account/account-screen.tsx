import { useEffect } from "preact/hooks";
import type { SeenSession } from "../../client/page/accounts.ts";
import type { Notices, Passkey } from "../../contract/persons.ts";
import { onSignIn } from "../browser/session-news.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { Screen } from "../frame/screens.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { AccountCard } from "../parts/person-card.tsx";
import type { Person } from "../service/clients.ts";
import { onAccountOf } from "../service/own-account.ts";
import { MENU } from "../texts/menu.ts";
import { NoticePart } from "./notice-part.tsx";
import { PasskeyPart } from "./passkey-part.tsx";
import { SessionPart } from "./session-part.tsx";
import { isToSignInAgain, SignInAgainScreen } from "./sign-in-again.tsx";
import type { SignInParts } from "./sign-in-again.tsx";

export { NoticeCheck } from "./notice-check.tsx";
export { isToBeOffered, PasskeyOffer } from "./passkey-offer.tsx";

interface Loaded {
  readonly kind: "loaded";
  /** Undefined where the server has no passkeys. */
  readonly passkeys: readonly Passkey[] | undefined;
  readonly sessions: readonly SeenSession[];
  /** Null where the server sends no mails. */
  readonly notices: Notices | null;
}

interface Props {
  readonly person: Person;
  readonly parts: SignInParts;
  readonly onSignOut: () => void;
}

/** `/account`: a person's account, or signing in again for a change to it. */
export function AccountScreen(props: Props) {
  return isToSignInAgain() ? <SignInAgainScreen {...props} /> : <Account {...props} />;
}

/** Who is signed in, their passkeys, where they are signed in, and their mails. */
function Account({ person, onSignOut }: Props) {
  const load = () => loadAccount(person);
  const { state, screen, setState, reload } = useLoading<Loaded>(person.id, load, describeSessionFailure);
  // What is shown must not be taken for the account of another person.
  useEffect(() => onSignIn(reload), []);
  if (!state) return screen;
  const { passkeys, sessions, notices } = state;
  const refresh = async () => setState(await load());
  return (
    <Screen title={MENU.menu.account}>
      <AccountCard person={person} />
      {passkeys && <PasskeyPart person={person} passkeys={passkeys} onChanged={refresh} />}
      <SessionPart person={person} sessions={sessions} onChanged={refresh} onSignOut={onSignOut} />
      {notices && (
        <NoticePart person={person} notices={notices} onSet={(set) => setState({ ...state, notices: set })} />
      )}
    </Screen>
  );
}

async function loadAccount(person: Person): Promise<Loaded | Notice> {
  return onAccountOf(person, async (account) => {
    const [passkeys, sessions, notices] = await Promise.all([
      person.ways.includes("passkey") ? account.listPasskeys() : undefined,
      account.listSessions(),
      person.sendsMails ? account.findNotices() : null,
    ]);
    return { kind: "loaded", passkeys, sessions, notices };
  });
}
