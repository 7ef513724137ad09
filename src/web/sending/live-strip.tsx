import { askFirst } from "../frame/dialogs.tsx";
import { mayLose } from "../frame/leaving.ts";
import { Complaint } from "../parts/complaint.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import type { Person } from "../service/clients.ts";
import { LiveNotice } from "../service/live-notice.tsx";
import { revokeOwnSecret } from "../service/revocations.ts";
import { RevokeButton, useRevocation } from "../service/revoke-button.tsx";
import { may } from "../service/scopes.ts";
import { stateOfSecret } from "../service/states.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { SENDING } from "../texts/sending.ts";
import type { WatchedSecret } from "./watched-secrets.ts";

const { sent: words } = SENDING;

/** The live state of a secret, and a button that revokes it. */
export function LiveStrip(props: {
  readonly person: Person;
  readonly watched: WatchedSecret;
  readonly onMore: () => void;
}) {
  const { person, watched, onMore } = props;
  const { secret, live } = watched;
  // Without reading it, the page would not know what became of it.
  const canRead = may(person, "secrets:read");
  const canRevoke = secret.state === "available" && canRead && may(person, "secrets:revoke");
  const revocation = useRevocation(
    () => askFirst({ ...ACTIVITY.activity.sureSent, isDangerous: true }),
    async () => {
      await revokeOwnSecret(person, secret.id);
      await live.refresh();
    },
  );
  return (
    <section class="status" aria-label={words.live}>
      <LiveNotice live={live} />
      <div class="status-text">
        <span role="status">{canRead && <StateChip state={stateOfSecret(secret)} />}</span>
        {canRead && secret.state === "available" && secret.claims === 0 && <span>{words.notYet}</span>}
      </div>
      <div class="status-tools">
        {canRevoke && <RevokeButton revocation={revocation} label={words.revoke} />}
        <button type="button" class="button text" onClick={() => void mayLose().then((isFree) => isFree && onMore())}>
          {words.more}
        </button>
      </div>
      <Complaint text={canRevoke ? revocation.complaint : ""} />
    </section>
  );
}
