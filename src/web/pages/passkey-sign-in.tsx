import { useState } from "preact/hooks";
import { supportsPasskeys } from "../browser/passkeys.ts";
import { Icon } from "../frame/icon.tsx";
import { Complaint } from "../parts/complaint.tsx";
import type { Visitor } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";
import { openFresh } from "./freshness.ts";
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
  onSignedIn = openFresh,
}: Pick<Visitor, "ways"> & { readonly onSignedIn?: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [complaint, setComplaint] = useState("");
  if (!hasPasskeySignIn({ ways })) return null;
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setComplaint("");
    const result = await trySigningIn();
    if (result === "signed-in") onSignedIn();
    else if (result !== "canceled") setComplaint(result.complaint);
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
