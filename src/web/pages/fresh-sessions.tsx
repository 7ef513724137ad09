import { topUrl } from "../browser/places.ts";
import { Icon } from "../frame/icon.tsx";
import { formatTime } from "../parts/formats.ts";
import { nameOf } from "../parts/person-card.tsx";
import type { Person } from "../service/clients.ts";
import { LANDING } from "../texts/landing.ts";

/** The fragment of the page's address right after signing in. */
export const FRESH = "signed-in";

/** True right after signing in; removes the fragment from the address bar. */
export function takeFreshness(): boolean {
  if (location.hash !== `#${FRESH}`) return false;
  history.replaceState(null, "", `${topUrl()}/`);
  return true;
}

/** Shows who has signed in, and for how long: a sign-in link does not name its person. */
export function FreshSession({ person, onSignOut }: { readonly person: Person; readonly onSignOut: () => void }) {
  const { signIn } = LANDING;
  const { team, expires_at: end } = person.credential;
  return (
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
  );
}
