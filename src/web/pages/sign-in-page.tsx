import { useState } from "preact/hooks";
import { signIn as trySignIn } from "../../client/page/sessions.ts";
import { forget } from "../browser/fragments.ts";
import type { KeptLink } from "../browser/fragments.ts";
import { topUrl } from "../browser/places.ts";
import { useLoading } from "../frame/loading.tsx";
import type { Notice } from "../frame/notices.ts";
import { NoticeScreen, Screen } from "../frame/screens.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { loadPart } from "../parts/loaded-parts.ts";
import { AccountCard } from "../parts/person-card.tsx";
import { findPerson, findVisitor } from "../service/clients.ts";
import type { Person, Visitor } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";
import { PAGE } from "../texts/page.ts";
import { findCookieFault } from "./cookies.ts";
import type { CookieFault } from "./cookies.ts";
import { openFresh } from "./freshness.ts";
import { MailPart } from "./landing-page.tsx";
import { hasPasskeySignIn, PasskeySignIn } from "./passkey-sign-in.tsx";
import { takeProviderAnswer } from "./provider-answers.ts";
import { KEPT_AS, takeSignInLink } from "./sign-in-links.ts";
import type { SignInFault } from "./sign-in-links.ts";
import { WhomToAsk } from "./whom-to-ask.tsx";

const { signIn } = LANDING;
const { failed } = PAGE;

interface Arrival {
  readonly kind: "arrived";
  readonly link: KeptLink | SignInFault;
  /** The person who is already signed in in this browser. */
  readonly person: Person | undefined;
  readonly ways: Visitor["ways"];
}

const COOKIE_NOTICES: Readonly<Record<CookieFault, Notice>> = {
  "needs-https": { ...signIn.needsHttps, icon: "lock", tone: "warn" },
  refused: { ...signIn.noCookie, icon: "warning", tone: "warn" },
};

/** `/sign-in`: a person opens a sign-in link, or comes back from the provider of single sign-on. */
export function SignInPage() {
  const [answer] = useState(takeProviderAnswer);
  return answer === undefined ? <LinkPage /> : <ReturnPage answer={answer} />;
}

/** A person comes back from the provider. */
function ReturnPage({ answer }: { readonly answer: string }) {
  const load = async () => {
    const part = await loadPart(() => import("./provider-sign-in.tsx"));
    return { ...(await part.finishProviderSignIn(answer)), RefusedScreen: part.RefusedScreen };
  };
  const { state, screen } = useLoading("provider", load, describeSessionFailure);
  return state ? <state.RefusedScreen {...state} /> : screen;
}

/** The button uses the link up, loading the page does not. */
function LinkPage() {
  const [link] = useState(takeSignInLink);
  const [fault] = useState(findCookieFault);
  const { state, screen, setState } = useLoading<Arrival>("sign-in", () => arrive(link), describeSessionFailure);
  const [notice, setNotice] = useState<Notice | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  if (!state) return screen;
  if (typeof link === "string") {
    if (state.person) return <SignedInScreen person={state.person} />;
    return (
      <NoticeScreen notice={{ ...signIn.faults[link], icon: "link", tone: "warn" }}>
        <OtherWays ways={state.ways} />
      </NoticeScreen>
    );
  }
  // Checked before the link is used up in vain.
  if (fault) {
    return (
      <NoticeScreen notice={COOKIE_NOTICES[fault]}>
        <WhomToAsk />
      </NoticeScreen>
    );
  }
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setNotice(await trade(link));
    setBusy(false);
  };
  if (notice) {
    return (
      <NoticeScreen notice={notice} onRetry={() => void submit()}>
        {!notice.canRetry && <OtherWays ways={state.ways} />}
      </NoticeScreen>
    );
  }
  const signOut = async (person: Person) => {
    const { leaveSession } = await loadPart(() => import("./sign-out.ts"));
    const left = await leaveSession(person, 0);
    if (!left) return;
    setState({ ...state, person: undefined });
    if (!("kind" in left)) setNotice(left);
  };
  return (
    <LinkScreen
      person={state.person}
      isBusy={isBusy}
      onSubmit={() => void submit()}
      onSignOut={(person) => void signOut(person)}
    />
  );
}

/** What somebody can do whose link signs nobody in. */
function OtherWays({ ways }: Pick<Visitor, "ways">) {
  return (
    <>
      <PasskeySignIn ways={ways} />
      {ways.includes("mail") && <MailPart hasPasskeys={hasPasskeySignIn({ ways })} />}
      <WhomToAsk />
    </>
  );
}

async function arrive(link: KeptLink | SignInFault): Promise<Arrival> {
  // A link can be used even when the server does not answer about the session.
  const { person, ways } = await findVisitor().catch(() => ({ person: undefined, ways: [] }));
  return { kind: "arrived", link, person, ways };
}

/** The screen of a valid link, before it is used. */
function LinkScreen(props: {
  readonly person: Person | undefined;
  readonly isBusy: boolean;
  readonly onSubmit: () => void;
  readonly onSignOut: (person: Person) => void;
}) {
  const { person, isBusy, onSubmit, onSignOut } = props;
  return (
    <Screen title={signIn.title} width="narrow" lede={person ? signIn.already : signIn.lede}>
      {person && <AccountCard person={person} />}
      <div class="buttons">
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={onSubmit}>
          {isBusy ? signIn.busy : signIn.button}
        </button>
        {person && (
          <a class="button" href={`${topUrl()}/`}>
            {signIn.stay}
          </a>
        )}
        {person && (
          <button type="button" class="button" onClick={() => onSignOut(person)}>
            {signIn.notYou}
          </button>
        )}
      </div>
      <p class="hint">{signIn.once}</p>
    </Screen>
  );
}

function SignedInScreen({ person }: { readonly person: Person }) {
  return (
    <Screen title={signIn.signedIn} icon="success" tone="good" width="narrow">
      <AccountCard person={person} />
      <div class="buttons">
        <a class="button primary" href={`${topUrl()}/`}>
          {signIn.goOn}
        </a>
      </div>
    </Screen>
  );
}

/** Signs in and opens the person's page, or returns a notice. */
async function trade({ fragment, idempotencyKey }: KeptLink): Promise<Notice | undefined> {
  try {
    const answer = await trySignIn(topUrl(), { token: fragment, idempotencyKey });
    if (answer.status === 429) return { ...PAGE.tooMany, icon: "waiting", tone: "warn", canRetry: true };
    if (answer.status >= 500) return unfinished(failed.busy.text);
    if (answer.status === 401) {
      void forget(KEPT_AS);
      return { ...signIn.refused, icon: "link", tone: "warn" };
    }
    if (!answer.ok) return unfinished(failed.other);
    const person = await findPerson();
    void forget(KEPT_AS);
    if (!person) return COOKIE_NOTICES.refused;
    openFresh();
    return undefined;
  } catch {
    return unfinished(failed.network.text);
  }
}

/** The notice for a link that the server may have used up. Only this tab can repeat the call. */
function unfinished(text: string): Notice {
  return { title: failed.title, text: `${text} ${signIn.keepTab}`, canRetry: true };
}
