import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { linkPath } from "../../contract/links.ts";
import type { Secret } from "../../contract/secrets.ts";
import { topUrl } from "../browser/places.ts";
import { People } from "../composing/people-list.tsx";
import { askFirst } from "../frame/dialogs.tsx";
import { Icon } from "../frame/icon.tsx";
import { UpLink } from "../frame/screens.tsx";
import { Complaint } from "../parts/complaint.tsx";
import { capitalize, describeAnySize, formatPast, formatTime } from "../parts/formats.ts";
import { printable } from "../parts/printable.ts";
import { StateChip } from "../parts/state-chip.tsx";
import type { AskedRow } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";
import { askToRevokeRequest, revokeOwnRequest, revokeOwnSecret } from "../service/revocations.ts";
import { RevokeButton, useRevocation } from "../service/revoke-button.tsx";
import { may } from "../service/scopes.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { DECIDING } from "../texts/deciding.ts";
import { MENU } from "../texts/menu.ts";
import { PEOPLE } from "../texts/people.ts";
import { SENDING } from "../texts/sending.ts";
import { describeContent, stateOf, timeOf, titleOf } from "./descriptions.ts";
import { Extension } from "./extension.tsx";
import { addressOf, NO_FILTER } from "./filters.ts";
import { History } from "./history.tsx";
import { addresseesOf, canRevoke, idOf, isCollectable, isReady, ticketOf } from "./items.ts";
import type { ActivityItem } from "./items.ts";

const { activity: words } = ACTIVITY;
const { facts } = words;
const { approver } = DECIDING.deciding;

/** The details of an item, beside the list or in its place, and what can be done with it. */
export function Details(props: {
  readonly person: Person;
  readonly item: ActivityItem;
  /** The address of the list without the details. */
  readonly listAddress: string;
  /** Changes when the history has to be read again. */
  readonly reading: unknown;
  /** Called when the details are to be closed. Returns true when nothing else has to happen. */
  readonly onClose: () => boolean;
  /** Called when the item was revoked or extended. */
  readonly onChanged: () => Promise<void>;
}) {
  const { person, item, listAddress, reading, onClose, onChanged } = props;
  const id = idOf(item);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [id]);
  const revocation = useRevocation(
    () => askToRevoke(item),
    async () => {
      await (item.kind === "sent" ? revokeOwnSecret : revokeOwnRequest)(person, id);
      await onChanged();
      // The pressed button is gone, and the focus with it.
      heading.current?.focus();
    },
  );
  const isRevocable = canRevoke(person, item);
  const close = (event: MouseEvent) => {
    // These keys open another tab.
    if (!(event.ctrlKey || event.metaKey || event.shiftKey) && onClose()) event.preventDefault();
  };
  return (
    <section class="card details" aria-labelledby="details">
      <div class="back" onClick={close}>
        <UpLink href={listAddress} text={MENU.menu.activity} />
      </div>
      <div class="details-head">
        <h1 id="details" ref={heading} tabIndex={-1}>
          <bdi>{titleOf(item)}</bdi>
        </h1>
        <a class="button only-icon" href={listAddress} aria-label={facts.close} title={facts.close} onClick={close}>
          <Icon name="close" />
        </a>
      </div>
      <div class="status-text" role="status">
        <StateChip state={stateOf(item)} />
        {timeOf(item)?.text}
      </div>
      <dl class="data">
        {[
          ...(item.kind === "sent" ? factsOfSecret(item) : factsOfRequest(item.asked)),
          ...factsOfPeople(item),
          ...factsOfTicket(item),
        ].map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{facts.id}</dt>
          <dd>
            <bdi class="mono" dir="ltr">
              {id}
            </bdi>
          </dd>
        </div>
      </dl>
      <History person={person} item={item} reading={reading} />
      {item.kind === "sent" && item.secret.state === "available" && may(person, "secrets:revoke") && (
        <Extension person={person} secret={item.secret} onChanged={onChanged} />
      )}
      <Actions item={item}>{isRevocable && <RevokeButton revocation={revocation} label={words.revoke} />}</Actions>
      <Complaint text={isRevocable ? revocation.complaint : ""} />
      {item.kind === "sent" && item.secret.state === "available" && <p class="hint">{hintOf(item)}</p>}
    </section>
  );
}

function Actions({ item, children }: { readonly item: ActivityItem; readonly children: ComponentChildren }) {
  return (
    <div class="buttons">
      {isCollectable(item) && (
        <a class={isReady(item) ? "button primary" : "button"} href={topUrl() + linkPath("backup", idOf(item))}>
          <Icon name="inbox" />
          {isReady(item) ? words.collect : words.handedIn}
        </a>
      )}
      {children}
    </div>
  );
}

function askToRevoke(item: ActivityItem): Promise<boolean> {
  if (item.kind === "sent") return askFirst({ ...words.sureSent, isDangerous: true });
  return askToRevokeRequest(item.asked.hasKey ? item.asked.waiting : 0);
}

function hintOf({ label, content }: ActivityItem & { readonly kind: "sent" }): string {
  return label !== "" || content ? `${facts.linkHint} ${facts.keptHint}` : facts.linkHint;
}

type Fact = readonly [term: string, value: ComponentChildren];

function factsOfPeople(item: ActivityItem): Fact[] {
  const { chosen } = PEOPLE.people;
  const list = addresseesOf(item);
  return list ? [[chosen, <People key={chosen} name={chosen} list={list.map(printable)} />]] : [];
}

function factsOfTicket(item: ActivityItem): Fact[] {
  const ticket = ticketOf(item);
  if (ticket === null) return [];
  const address = addressOf({ filter: { ...NO_FILTER, ticket }, id: undefined });
  return [
    [
      facts.ticket,
      <a key={ticket} href={address} aria-label={SENDING.ticket.only(ticket)} translate={false}>
        {ticket}
      </a>,
    ],
  ];
}

function factsOfSecret({ secret, content }: ActivityItem & { readonly kind: "sent" }): Fact[] {
  const { created_at: created, claims, max_claims: most } = secret;
  const what = describeContent(content);
  return [
    ...(what ? [[facts.what, <bdi key={what}>{what}</bdi>] as const] : []),
    [facts.size, describeAnySize(secret)],
    [facts.sent, capitalize(formatPast(created))],
    [facts.opened, facts.times(claims, most)],
    ...(secret.approval === null ? [] : [[approver.title, approver[secret.approval]] as const]),
    endOf(secret),
  ];
}

function factsOfRequest({ request, opened, isUncounted }: AskedRow): Fact[] {
  const { created_at: created, submission_count: count, max_submissions: most } = request;
  return [
    [facts.asked, capitalize(formatPast(created))],
    [facts.handedIn, facts.times(count, most)],
    ...(isUncounted || count === 0 ? [] : [[facts.opened, facts.times(opened, count)] as const]),
    endOfRequest(request),
  ];
}

/** The time at which the request ended, labeled as its end: its submissions may have been opened at another time. */
function endOfRequest(request: AskedRow["request"]): Fact {
  const [term, when] = endOf(request);
  const { state } = request;
  if (state === "fulfilled") return [SENDING.asked.fulfilledTitle, when];
  return [state === "expired" || state === "revoked" ? words.states[state] : term, when];
}

function endOf({ expires_at: expires, ended_at: ended }: Pick<Secret, "expires_at" | "ended_at">): Fact {
  return ended === null
    ? [facts.expires, capitalize(formatTime(expires))]
    : [facts.ended, capitalize(formatPast(ended))];
}
