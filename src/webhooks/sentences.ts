import type { EventType } from "../contract/states.ts";
import type { ToldEvent } from "../domain/ports/webhooks.ts";

/** The type of a test's event, which is in no log. */
export const TEST_TYPE = "webhook.test";

/** The texts about an event for people. They say no more than the event does. */
interface Told {
  readonly title: string;
  readonly sentence: string;
}

type Sentences = Readonly<Record<EventType | typeof TEST_TYPE, (event: ToldEvent) => Told>>;

const SENTENCES: Sentences = {
  "secret.created": (event) =>
    event.request_id === null
      ? told("Secret sent", `${secret(event)} was sent${by(event)}.`)
      : told("Secret handed in", `${secret(event)} was handed in for the request ${event.request_id}.`),
  "secret.changed": (event) =>
    told("Secret changed", `${secret(event)} was given another lifetime or number of openings${by(event)}.`),
  "secret.claimed": (event) => told("Secret opened", `${secret(event)} was opened${by(event)}.`),
  "secret.expired": (event) => told("Secret expired", `${secret(event)} has expired.`),
  "secret.revoked": (event) => told("Secret revoked", `${secret(event)} was revoked${by(event)}.`),
  "request.created": (event) => told("Request created", `${request(event)} was created${by(event)}.`),
  "request.paused": (event) => told("Request paused", `${request(event)} was paused${by(event)}.`),
  "request.opened": (event) => told("Request resumed", `${request(event)} was resumed${by(event)}.`),
  "request.fulfilled": (event) =>
    told("Request fulfilled", `${request(event)} is fulfilled: everything was handed in.`),
  "request.expired": (event) => told("Request expired", `${request(event)} has expired.`),
  "request.revoked": (event) => told("Request revoked", `${request(event)} was revoked${by(event)}.`),
  "webhook.failed": (event) =>
    told(
      "Webhook failed",
      `${event.secret_id === null ? request(event) : secret(event)} has news that a webhook couldn't deliver. Ask your admin.`,
    ),
  [TEST_TYPE]: () => told("Test", "This is a test. Events arrive here."),
};

/** The title and the sentence about an event. An event of an unknown type is described by its type. */
export function describeEvent(event: ToldEvent): Told {
  if (Object.hasOwn(SENTENCES, event.type)) return SENTENCES[event.type as keyof Sentences](event);
  return told("Event", `${event.type}: ${event.secret_id ?? event.request_id ?? event.id}`);
}

function told(title: string, sentence: string): Told {
  return { title: `handoff: ${title}`, sentence };
}

function secret(event: ToldEvent): string {
  return `The secret ${event.secret_id}${about(event)}`;
}

function request(event: ToldEvent): string {
  return `The request ${event.request_id}${about(event)}`;
}

function about({ reference }: ToldEvent): string {
  return reference === null ? "" : ` (${reference})`;
}

/** The end of a sentence: the actor, if the event names one. */
function by({ actor }: ToldEvent): string {
  switch (actor?.kind) {
    case "api_key":
      return ` by ${actor.id}`;
    case "person":
      return ` by the person ${actor.id}`;
    case "link":
      return " with its link";
    default:
      return "";
  }
}
