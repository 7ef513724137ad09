import { topUrl } from "../browser/places.ts";
import { Icon } from "../frame/icon.tsx";
import { formatWhen } from "../parts/formats.ts";
import { nameOf } from "../parts/person-card.tsx";
import type { Person } from "../service/clients.ts";
import { STRINGS } from "../strings.ts";

/** The fragment with which the page begins for somebody who has just signed in. */
export const FRESH = "signed-in";

/** True when somebody has just signed in; takes that out of the address bar. */
export function takeFreshness(): boolean {
  if (location.hash !== `#${FRESH}`) return false;
  history.replaceState(null, "", `${topUrl()}/`);
  return true;
}

/** Says as whom somebody has signed in, and for how long: a link does not say for whom it was made. */
export function FreshSession({ person, onSignOut }: { readonly person: Person; readonly onSignOut: () => void }) {
  const { signIn } = STRINGS;
  const { team, expires_at: end } = person.credential;
  return (
    <div class="notice good" role="status">
      <Icon name="success" />
      <div class="notice-row">
        <p>
          {signIn.signedInAs(nameOf(person), team?.name ?? "")}
          {end !== null && ` ${signIn.until(formatWhen(end))}`}
        </p>
        <button type="button" class="button" onClick={onSignOut}>
          {signIn.notYou}
        </button>
      </div>
    </div>
  );
}
