import { useEffect, useRef } from "preact/hooks";
import { hasEnded } from "../../client/requests.ts";
import { linkPath } from "../../contract/links.ts";
import { topUrl } from "../browser/places.ts";
import { askFirst } from "../frame/dialogs.tsx";
import { Icon } from "../frame/icon.tsx";
import { Menu } from "../frame/menu.tsx";
import { IdEnd, idEndOf } from "../parts/id-end.tsx";
import { StateChip } from "../parts/state-chip.tsx";
import { askToRevokeRequest } from "../service/revocations.ts";
import { useRevocation } from "../service/revoke-button.tsx";
import { ACTIVITY } from "../texts/activity.ts";
import { SENDING } from "../texts/sending.ts";
import { describeItem } from "./descriptions.ts";
import { addressOfTicket } from "./filters.ts";
import { groupOf, idOf, ticketOf } from "./items.ts";
import type { ActivityItem } from "./items.ts";

const { activity: words } = ACTIVITY;

/** A row of the list, with its actions. */
export function ActivityRow(props: {
  readonly item: ActivityItem;
  /** True for the row to act on first. */
  readonly isFirst: boolean;
  readonly onDetails: () => void;
  readonly onRevoke: () => Promise<void>;
}) {
  const { item, isFirst, onDetails, onRevoke } = props;
  const revocation = useRevocation(() => askToRevoke(item), onRevoke);
  const { isBusy } = revocation;
  const complaint = canRevoke(item) ? revocation.complaint : "";
  const wrong = useRef<HTMLParagraphElement>(null);
  // The pressed row may be the last one in the window.
  useEffect(() => void (complaint && wrong.current?.scrollIntoView({ block: "nearest" })), [complaint]);
  const id = idOf(item);
  const { icon, name, facts, state, when } = describeItem(item);
  const group = groupOf(item);
  const ticket = ticketOf(item);
  const isReady = group === "collect" && item.kind === "asked" && item.asked.hasKey;
  const time = isReady ? state.text : when;
  return (
    <li id={id} tabIndex={-1} class={rowClass(isReady, group === "done")}>
      <span class="row-kind">
        <Icon name={icon} />
      </span>
      <span class="row-what">
        <bdi class="row-name" title={name}>
          {name}
        </bdi>
        <span class="row-meta">
          {facts}
          {ticket !== null && (
            <>
              {" · "}
              <bdi translate={false}>{ticket}</bdi>
            </>
          )}
          {" · "}
          <IdEnd id={id} />
        </span>
      </span>
      <span class="row-state">
        {isReady ? (
          <a
            class={isFirst ? "button primary" : "button"}
            href={topUrl() + linkPath("backup", id)}
            aria-label={words.collectThis(name)}
          >
            {words.collect}
          </a>
        ) : (
          !isBusy && <StateChip state={state} />
        )}
        {isBusy && (
          <span role="status">
            <StateChip state={{ text: ACTIVITY.revoking, icon: "waiting", tone: "wait" }} />
          </span>
        )}
        {time && <span class="row-when">{time}</span>}
      </span>
      <Menu
        class="row-tools"
        buttonClass="button only-icon"
        label={words.more(name, idEndOf(id))}
        button={<Icon name="more" />}
      >
        <button type="button" class="button" onClick={onDetails}>
          <Icon name="text" />
          {words.details}
        </button>
        {ticket !== null && (
          <a class="button" href={addressOfTicket(ticket)}>
            <Icon name="text" />
            {SENDING.ticket.only(ticket)}
          </a>
        )}
        {isCollectable(item) && (
          <a class="button" href={topUrl() + linkPath("backup", id)}>
            <Icon name="inbox" />
            {words.handedIn}
          </a>
        )}
        {canRevoke(item) && (
          <button type="button" class="button" aria-disabled={isBusy} onClick={revocation.begin}>
            <Icon name="revoked" />
            {isBusy ? ACTIVITY.revoking : words.revoke}
          </button>
        )}
      </Menu>
      <p ref={wrong} role="alert" class="wrong row-wrong">
        {complaint}
      </p>
    </li>
  );
}

function askToRevoke(item: ActivityItem): Promise<boolean> {
  if (item.kind === "sent") return askFirst({ ...words.sureSent, isDangerous: true });
  return askToRevokeRequest(item.asked.hasKey ? item.asked.waiting : 0);
}

function rowClass(isReady: boolean, isOver: boolean): string {
  return isReady ? "row is-ready" : isOver ? "row is-over" : "row";
}

function canRevoke(item: ActivityItem): boolean {
  return item.kind === "sent" ? item.secret.state === "available" : !hasEnded(item.asked.request);
}

/** True when this browser has the key to a submission of this item. */
function isCollectable(item: ActivityItem): boolean {
  return item.kind === "asked" && item.asked.hasKey && item.asked.request.submission_count > 0;
}
