import { useState } from "preact/hooks";
import { supportsPasskeys } from "../browser/passkeys.ts";
import { topUrl } from "../browser/places.ts";
import { announceSession } from "../browser/session-news.ts";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import type { Visitor } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";
import { FRESH } from "./freshness.ts";
import { trySigningIn } from "./passkey-sign-ins.ts";

const { signIn: words } = LANDING;

/** True where strangers can sign in with a passkey. */
export function hasPasskeySignIn({ ways }: Pick<Visitor, "ways">): boolean {
  return ways.includes("passkey") && supportsPasskeys();
}

/**
 * A button by which a person signs in with a passkey, where that is possible. Without `onSignedIn`, their page opens
 * then.
 */
export function PasskeySignIn({
  ways,
  onSignedIn = openPage,
}: Pick<Visitor, "ways"> & { readonly onSignedIn?: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState("");
  if (!hasPasskeySignIn({ ways })) return null;
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setComplaint("");
    setComplaint((await signIn(onSignedIn)) ?? "");
    setBusy(false);
  };
  return (
    <div class="stack-s">
      <div class="buttons">
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void submit()}>
          <Icon name="key" />
          {isBusy ? words.busy : words.passkey.button}
        </button>
      </div>
      <Complaint text={complaint} />
    </div>
  );
}

/** Signs in. Returns a complaint; undefined when there is none. */
async function signIn(onSignedIn: () => void): Promise<string | undefined> {
  const result = await trySigningIn();
  if (result === "canceled") return undefined;
  if (result !== "signed-in") return result.complaint;
  onSignedIn();
  return undefined;
}

function openPage(): void {
  announceSession("signed-in");
  location.assign(`${topUrl()}/#${FRESH}`);
}
