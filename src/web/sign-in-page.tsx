import { useState } from "preact/hooks";
import { clearFragment } from "./fragments.ts";
import type { Notice } from "./failures.ts";
import { topUrl } from "./places.ts";
import { NoticeScreen, Screen } from "./screens.tsx";
import { STRINGS } from "./strings.ts";

const { signIn } = STRINGS;

/** `/sign-in`: somebody was given a sign-in link. It is used up by the button, and not by loading. */
export function SignInPage() {
  // Kept nowhere but here: the link works once.
  const [token] = useState(clearFragment);
  const [notice, setNotice] = useState<Notice | undefined>(token === "" ? signIn.noLink : undefined);
  const [isBusy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    const answer = await fetch(`${topUrl()}/app/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sign_in_token: token }),
    }).catch(() => undefined);
    setBusy(false);
    if (answer?.ok) location.assign(`${topUrl()}/`);
    else
      setNotice(answer === undefined ? { title: STRINGS.failed.title, text: STRINGS.failed.network } : signIn.refused);
  };
  if (notice) return <NoticeScreen notice={notice} />;
  return (
    <Screen title={signIn.title}>
      <p>{signIn.text}</p>
      <button type="button" disabled={isBusy} onClick={() => void submit()}>
        {signIn.button}
      </button>
    </Screen>
  );
}
