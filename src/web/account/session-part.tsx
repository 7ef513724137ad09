import type { SeenSession } from "../../client/page/accounts.ts";
import { Drawing, Icon } from "../frame/icon.tsx";
import { formatTime } from "../parts/formats.ts";
import { StateChip } from "../parts/state-chip.tsx";
import type { Person } from "../service/clients.ts";
import { onAccountOf } from "../service/own-account.ts";
import { ACCOUNT } from "../texts/account.ts";
import { AccountPart, useChanges } from "./account-part.tsx";
import { nameBrowser, shapeOfBrowser } from "./browser-names.ts";

const { account } = ACCOUNT;
const { sessions: words } = account;
/** In place of the ID of a session. */
const OTHERS = "others";

/** The sessions of a person, which they end. `onSignOut` ends the one of this browser, and asks first. */
export function SessionPart(props: {
  readonly person: Person;
  readonly sessions: readonly SeenSession[];
  readonly onChanged: () => Promise<void>;
  readonly onSignOut: () => void;
}) {
  const { person, sessions, onChanged, onSignOut } = props;
  const changes = useChanges();
  const end = (id: string, work: Parameters<typeof onAccountOf<void>>[1], said: string) =>
    changes.run(
      id,
      async () => {
        await onAccountOf(person, work);
        await onChanged();
        return { said };
      },
      { takesAway: true },
    );
  const endOne = ({ id, is_current: isCurrent }: SeenSession) =>
    isCurrent ? onSignOut() : end(id, (own) => own.endSession(id), words.isSignedOut);
  const ordered = sessions.toSorted((one, other) => Number(other.is_current) - Number(one.is_current));
  return (
    <AccountPart id="sessions" title={words.title} changes={changes}>
      <ul class="things">
        {ordered.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isBusy={changes.busy === session.id}
            onEnd={() => endOne(session)}
          />
        ))}
      </ul>
      {sessions.length > 1 && (
        <div class="buttons">
          <button
            type="button"
            class="button"
            aria-disabled={changes.busy !== ""}
            onClick={() => end(OTHERS, (own) => own.endOtherSessions(), words.areSignedOut)}
          >
            <Icon name="signout" />
            <span aria-live="polite">{changes.busy === OTHERS ? words.signingOut : words.others}</span>
          </button>
        </div>
      )}
    </AccountPart>
  );
}

function SessionRow(props: { readonly session: SeenSession; readonly isBusy: boolean; readonly onEnd: () => void }) {
  const { session, isBusy, onEnd } = props;
  const name = nameBrowser(session);
  const label = isBusy ? words.signingOut : words.signOut;
  return (
    <li>
      <Drawing shape={shapeOfBrowser(session)} />
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small id={`of-${session.id}`}>{words.since(formatTime(session.created_at))}</small>
        {!session.is_current && <small>{words.used(formatTime(session.last_used_at))}</small>}
      </div>
      <div class="things-end">
        {session.is_current && <StateChip state={{ text: words.here, icon: "check", tone: "good" }} />}
        <button
          type="button"
          class="button text"
          aria-disabled={isBusy}
          aria-label={account.actionOn(label, name)}
          aria-describedby={`of-${session.id}`}
          onClick={onEnd}
        >
          {label}
        </button>
      </div>
    </li>
  );
}
