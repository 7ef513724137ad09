import { useEffect, useState } from "preact/hooks";
import { Icon } from "../frame/icon.tsx";
import { formatTime } from "../parts/formats.ts";
import { nameOf } from "../parts/person-card.tsx";
import type { Person } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";
import { loadAccountScreen } from "./accounts.tsx";

/** Shows who has signed in, and for how long: a sign-in link does not name its person. Offers a passkey below. */
export function FreshSession({ person, onSignOut }: { readonly person: Person; readonly onSignOut: () => void }) {
  const { signIn } = LANDING;
  const { team, expires_at: end } = person.credential;
  return (
    <>
      <div class="notice good" role="status">
        <Icon name="success" />
        <div class="notice-row">
          <p>
            {signIn.signedInAs(nameOf(person), team?.name ?? "")}
            {end !== null && ` ${signIn.until(formatTime(end))}`}
          </p>
          <button type="button" class="button" onClick={onSignOut}>
            {signIn.notYou}
          </button>
        </div>
      </div>
      {person.ways.includes("passkey") && <Offer person={person} />}
    </>
  );
}

/** Offers a passkey, if the person has none and was not asked in this browser. */
function Offer({ person }: { readonly person: Person }) {
  const [part, setPart] = useState<Awaited<ReturnType<typeof loadAccountScreen>> | undefined>(undefined);
  useEffect(() => {
    const load = async () => {
      const loaded = await loadAccountScreen();
      if (await loaded.isToBeOffered(person)) setPart(loaded);
    };
    // Without the offer, the page works all the same.
    load().catch(() => undefined);
  }, []);
  return part ? <part.PasskeyOffer person={person} onDone={() => setPart(undefined)} /> : null;
}
