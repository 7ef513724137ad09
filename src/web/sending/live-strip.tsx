import { topUrl } from "../browser/places.ts";
import { askFirst } from "../frame/dialogs.tsx";
import { Icon } from "../frame/icon.tsx";
import { leave, mayLose } from "../frame/leaving.ts";
import { Complaint } from "../parts/complaint.tsx";
import { printable } from "../parts/printable.ts";
import { StateChip } from "../parts/state-chip.tsx";
import type { Person } from "../service/clients.ts";
import { LiveNotice } from "../service/live-notice.tsx";
import { revokeOwnSecret } from "../service/revocations.ts";
import { RevokeButton, useRevocation } from "../service/revoke-button.tsx";
import { stateOfSecret } from "../service/states.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { SENDING } from "../texts/sending.ts";
import type { WatchedSecret } from "./watched-secrets.ts";

const { sent: words } = SENDING;

/** The live state of a secret, and a button that revokes it. */
export function LiveStrip(props: {
  readonly person: Person;
  readonly watched: WatchedSecret;
  /** The sender's own name for the secret; empty when it has none. */
  readonly label: string;
  readonly onMore: () => void;
}) {
  const { person, watched, label, onMore } = props;
  const { secret, live } = watched;
  const canRevoke = secret.state === "available";
  const revocation = useRevocation(
    () => askFirst({ ...ACTIVITY.activity.sureSent, isDangerous: true }),
    async () => {
      await revokeOwnSecret(person, secret.id);
      await live.refresh();
    },
  );
  return (
    <section class="card live" aria-label={words.live}>
      <LiveNotice live={live} />
      <div class="live-text">
        <span role="status">
          <StateChip state={stateOfSecret(secret)} />
        </span>
        <a
          href={`${topUrl()}/activity`}
          onClick={(event) => {
            // These keys open another tab, and this one keeps the link.
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            const { href } = event.currentTarget;
            void leave(() => location.assign(href));
          }}
        >
          {label ? <bdi>{printable(label)}</bdi> : words.activity}
        </a>
      </div>
      <div class="buttons">
        {canRevoke && <RevokeButton revocation={revocation} label={words.revoke} />}
        <button type="button" class="button text" onClick={() => void mayLose().then((may) => may && onMore())}>
          <Icon name="plus" />
          {words.more}
        </button>
      </div>
      <Complaint text={canRevoke ? revocation.complaint : ""} />
    </section>
  );
}
