import { useEffect, useState } from "preact/hooks";
import { listSecretEvents, pastEvents } from "../../client/events.ts";
import type { SeenEvent } from "../../client/shapes.ts";
import { capitalize, formatPast, formatTime } from "../parts/formats.ts";
import { printable } from "../parts/printable.ts";
import type { Person } from "../service/clients.ts";
import { may } from "../service/scopes.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { DECIDING } from "../texts/deciding.ts";
import { PEOPLE } from "../texts/people.ts";
import { describeAsker, describeRefusal, joinWords } from "./descriptions.ts";
import { addresseesOf, idOf, progressOf } from "./items.ts";
import type { ActivityItem } from "./items.ts";

const { states } = ACTIVITY.activity;
const { history: words } = ACTIVITY.activity.facts;
const { people } = PEOPLE;
const { history: deciding } = DECIDING.deciding;
/** A busy team has more than one wants to wait for. */
const MOST_EVENTS = 1000;

interface Line {
  readonly what: string;
  /** RFC 3339. */
  readonly at: string;
  readonly isGood?: boolean;
}

/**
 * When a secret was sent and opened, with which credentials, what was approved, and its end. Of a request for chosen
 * people, when they handed in. Until loaded, only its beginning. It is read again for another `reading`.
 */
export function History(props: { readonly person: Person; readonly item: ActivityItem; readonly reading: unknown }) {
  const { person, item, reading } = props;
  const { state, created_at: created } = item.kind === "sent" ? item.secret : item.asked.request;
  const id = idOf(item);
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(() => {
    let isShown = true;
    const read = async () => {
      const events = await (item.kind === "sent" ? listSecretEvents(person.client, id) : listRequestEvents(person, id));
      if (isShown) setLines((events ?? []).flatMap((event) => lineOf(event, person.id)));
    };
    // Without the history, the other details are still correct.
    read().catch(() => undefined);
    return () => void (isShown = false);
  }, [id, state, progressOf(item), reading]);
  if (item.kind === "asked" && !addresseesOf(item)) return null;
  return (
    <section class="section">
      <h2 class="minor">{words.title}</h2>
      <ol class="story">
        {[{ what: item.kind === "sent" ? words.sent : people.asked, at: created }, ...lines].map(
          ({ what, at, isGood }: Line, index) => (
            <li key={index} class={isGood ? "is-good" : undefined}>
              {what}
              <small>
                <time dateTime={at} title={formatTime(at)}>
                  {capitalize(formatPast(at))}
                </time>
              </small>
            </li>
          ),
        )}
      </ol>
    </section>
  );
}

/** The events of a request for chosen people, which the log of the team has among others. */
async function listRequestEvents(person: Person, id: string): Promise<SeenEvent[]> {
  const events: SeenEvent[] = [];
  if (!may(person, "events:read")) return events;
  let seen = 0;
  // IDs of all kinds sort by time, so that all events of the request are later than this one.
  for await (const event of pastEvents(person.client, id.replace("req_", "evt_"))) {
    if (event.request_id === id) events.push(event);
    if (++seen >= MOST_EVENTS) break;
  }
  return events;
}

function lineOf(event: SeenEvent, ownId: string): Line[] {
  const { type, actor, created_at: at } = event;
  const list = joinWords(event.ask?.words ?? []);
  const decider = actor?.id === ownId ? "you" : "other";
  switch (type) {
    case "secret.created":
      return actor?.address ? [{ what: people.handedIn(printable(actor.address)), at, isGood: true }] : [];
    case "secret.claimed":
      return [{ what: describeOpening(actor), at, isGood: true }];
    case "secret.proof_refused":
    case "request.proof_refused":
      return [{ what: describeRefusal(event), at }];
    case "secret.approval_asked":
      return [{ what: deciding.asked(describeAsker(actor?.address ?? null, actor?.id ?? null), list), at }];
    case "secret.approved":
      return [{ what: deciding.letIn[decider](list), at }];
    case "secret.refused":
      return [{ what: deciding.refused[decider](list), at }];
    case "secret.expired":
      return [{ what: states.expired, at }];
    case "secret.revoked":
      return [{ what: states.revoked, at }];
    default:
      return [];
  }
}

function describeOpening(actor: SeenEvent["actor"]): string {
  switch (actor?.kind) {
    case "address":
      return people.opened(printable(actor.address ?? ""));
    case "link":
      return words.byLink;
    case "api_key":
      return words.byKey;
    case "person":
      return words.byPerson;
    default:
      return states.opened;
  }
}
