import { useState } from "preact/hooks";
import { signIn as trySignIn } from "../../client/sessions.ts";
import { isTokenShaped, TOKEN_PREFIXES } from "../../contract/tokens.ts";
import { forget, takeFragment } from "../browser/fragments.ts";
import type { KeptLink } from "../browser/fragments.ts";
import { topUrl } from "../browser/places.ts";
import { announceSession } from "../browser/session-news.ts";
import type { Notice } from "../frame/notices.ts";
import { NoticeScreen, Screen } from "../frame/screens.tsx";
import { findPerson } from "../service/clients.ts";
import { STRINGS } from "../strings.ts";

const { signIn, failed } = STRINGS;
/** The name under which this tab keeps the token until it has been used. */
const KEPT_AS = "sign-in";

/** `/sign-in`: somebody was given a sign-in link. It is used up by the button, and not by loading. */
export function SignInPage() {
  const [link] = useState(takeLink);
  const [notice, setNotice] = useState<Notice | undefined>(link ? undefined : signIn.noLink);
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    if (isBusy || !link) return;
    setBusy(true);
    setNotice(await trade(link));
    setBusy(false);
  };
  if (notice) return <NoticeScreen notice={notice} onRetry={() => void submit()} />;
  return (
    <Screen title={signIn.title}>
      <p>{signIn.text}</p>
      <button type="button" aria-disabled={isBusy} onClick={() => void submit()}>
        {signIn.button}
      </button>
    </Screen>
  );
}

function isSignInToken(fragment: string): boolean {
  return isTokenShaped(fragment) && fragment.startsWith(TOKEN_PREFIXES.person);
}

function takeLink(): KeptLink | undefined {
  const kept = takeFragment(KEPT_AS, isSignInToken);
  return kept === "broken" ? undefined : kept;
}

/** Goes on to the page of somebody who is signed in, or returns what is to be said. */
async function trade({ fragment, idempotencyKey }: KeptLink): Promise<Notice | undefined> {
  try {
    const answer = await trySignIn(topUrl(), { token: fragment, idempotencyKey });
    if (answer.status === 429) return STRINGS.tooMany;
    if (answer.status >= 500) return unfinished(failed.busy.text);
    if (answer.status === 401) {
      void forget(KEPT_AS);
      return signIn.refused;
    }
    if (!answer.ok) return unfinished(failed.other);
    const person = await findPerson();
    void forget(KEPT_AS);
    if (!person) return signIn.noCookie;
    announceSession("signed-in");
    location.assign(`${topUrl()}/`);
    return undefined;
  } catch {
    return unfinished(failed.network.text);
  }
}

/** The notice for when the server may have used the link, and this tab is the only one that can go on with it. */
function unfinished(text: string): Notice {
  return { title: failed.title, text: `${text} ${signIn.keepTab}`, canRetry: true };
}
