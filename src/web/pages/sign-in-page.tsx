import { useState } from "preact/hooks";
import { forget, noteClaimSent, takeFragment, wasClaimSent } from "../browser/fragments.ts";
import { topUrl } from "../browser/places.ts";
import { announceSession } from "../browser/session-news.ts";
import type { Notice } from "../parts/failures.ts";
import { NoticeScreen, Screen } from "../parts/screens.tsx";
import { findPerson } from "../service/clients.ts";
import { STRINGS } from "../strings.ts";

const { signIn, failed } = STRINGS;
/** Under what this tab keeps the token until it has been used. */
const KEPT_AS = "sign-in";
const TOKEN = /^hut_[0-9A-Za-z]{38}$/;

/** `/sign-in`: somebody was given a sign-in link. It is used up by the button, and not by loading. */
export function SignInPage() {
  const [token] = useState(takeToken);
  const [notice, setNotice] = useState<Notice | undefined>(token === undefined ? signIn.noLink : undefined);
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setNotice(await trade(token ?? ""));
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

function takeToken(): string | undefined {
  const kept = takeFragment(KEPT_AS, (fragment) => TOKEN.test(fragment));
  return kept === undefined || kept === "broken" ? undefined : kept.fragment;
}

/** Goes on to the page of somebody who is signed in, or returns what is to be said. */
async function trade(token: string): Promise<Notice | undefined> {
  const network = { title: failed.title, text: `${failed.network} ${signIn.lost}`, canRetry: true };
  const wasSent = wasClaimSent(KEPT_AS);
  try {
    const answer = await fetch(`${topUrl()}/app/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sign_in_token: token }),
    });
    if (answer.status >= 500) noteClaimSent(KEPT_AS);
    if (answer.status === 429 || answer.status >= 500)
      return { title: failed.title, text: failed.busy, canRetry: true };
    if (!answer.ok && answer.status !== 401) return { title: failed.title, text: failed.other, canRetry: true };
    forget(KEPT_AS);
    // Also where the link is of no use any more: perhaps the answer to an earlier try was lost, and the cookie was not.
    if (await findPerson()) {
      announceSession("signed-in");
      location.assign(`${topUrl()}/`);
      return undefined;
    }
    if (answer.ok) return signIn.noCookie;
    return wasSent ? signIn.answerLost : signIn.refused;
  } catch {
    noteClaimSent(KEPT_AS);
    return network;
  }
}
