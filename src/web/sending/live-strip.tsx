import { useState } from "preact/hooks";
import { topUrl } from "../browser/places.ts";
import { askFirst } from "../frame/dialogs.tsx";
import { Icon } from "../frame/icon.tsx";
import { leave, mayLose } from "../frame/leaving.ts";
import { Interruption } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { describeSessionFailure } from "../parts/failures.ts";
import { printable } from "../parts/printable.ts";
import { StateChip } from "../parts/state-chip.tsx";
import type { Person } from "../service/clients.ts";
import { revokeOwnSecret } from "../service/revocations.ts";
import { stateOfSecret } from "../service/states.ts";
import { STRINGS } from "../strings.ts";
import type { WatchedSecret } from "./watched-secrets.ts";

const { sent: words } = STRINGS;

/** The state of a secret that was sent, as it changes, and the way to end it. */
export function LiveStrip(props: {
  readonly person: Person;
  readonly watched: WatchedSecret;
  /** The sender's own name for it; empty when it has none. */
  readonly label: string;
  readonly onMore: () => void;
}) {
  const { person, watched, label, onMore } = props;
  const { secret, live } = watched;
  const [complaint, setComplaint] = useState("");
  const revoke = async () => {
    if (!(await askFirst({ ...words.sure, isDangerous: true }))) return;
    setComplaint("");
    try {
      await revokeOwnSecret(person, secret.id);
      await live.refresh();
    } catch (error) {
      setComplaint(describeSessionFailure(error).text);
    }
  };
  return (
    <section class="card live" aria-label={words.live}>
      {live.problem && <Interruption text={live.problem} onRetry={live.restart} />}
      <div class="live-text">
        <span role="status">
          <StateChip state={stateOfSecret(secret)} />
        </span>
        <a
          href={`${topUrl()}/activity`}
          onClick={(event) => {
            // In another tab, nothing of this one is lost.
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
        {secret.state === "available" && (
          <button type="button" class="button text" onClick={() => void revoke()}>
            <Icon name="revoked" />
            {words.revoke}
          </button>
        )}
        <button type="button" class="button text" onClick={() => void mayLose().then((may) => may && onMore())}>
          <Icon name="plus" />
          {words.more}
        </button>
      </div>
      <Complaint text={complaint} />
    </section>
  );
}
