import type { EventType } from "../contract/states.ts";
import { toHarmlessAddress } from "../domain/addressees.ts";
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
  "secret.proof_refused": (event) =>
    told(
      "Proof refused",
      `${secret(event)} is for chosen people. Someone with its link didn't prove to be one of them.`,
    ),
  "secret.approval_asked": (event) =>
    told(
      "Approval needed",
      `${secret(event)} needs approval: ${asker(event)} wants to open it${words(event, ", and sees")}.`,
    ),
  "secret.approved": (event) =>
    told(
      "Opening approved",
      `The opening of ${secret(event, "the")} was approved${by(event)}${words(event, ". It had")}.`,
    ),
  "secret.refused": (event) =>
    told(
      "Opening refused",
      `The opening of ${secret(event, "the")} was refused${by(event)}${words(event, ". It had")}.`,
    ),
  "request.created": (event) => told("Request created", `${request(event)} was created${by(event)}.`),
  "request.paused": (event) => told("Request paused", `${request(event)} was paused${by(event)}.`),
  "request.opened": (event) => told("Request resumed", `${request(event)} was resumed${by(event)}.`),
  "request.fulfilled": (event) =>
    told("Request fulfilled", `${request(event)} is fulfilled: everything was handed in.`),
  "request.expired": (event) => told("Request expired", `${request(event)} has expired.`),
  "request.revoked": (event) => told("Request revoked", `${request(event)} was revoked${by(event)}.`),
  "request.proof_refused": (event) =>
    told(
      "Proof refused",
      `${request(event)} is for chosen people. Someone with its link didn't prove to be one of them.`,
    ),
  "webhook.failed": (event) =>
    told("Webhook failed", `${subject(event)} that a webhook couldn't deliver. Ask your admin.`),
  "person.signed_in": (event) => told("Signed in", `A session of the person ${event.identity} began.`),
  "person.signed_out": (event) => told("Signed out", `A session of the person ${event.identity} was ended.`),
  "person.passkey_added": (event) => told("Passkey added", `A passkey of the person ${event.identity} was added.`),
  "person.passkey_removed": (event) =>
    told("Passkey removed", `A passkey of the person ${event.identity} was removed.`),
  "person.refused": (event) =>
    told(
      "Sign-in refused",
      `A sign-in as the person ${event.identity} was refused: a passkey didn't prove who it was.`,
    ),
  "key.refused": (event) =>
    told("API key refused", `A key of the identity ${event.identity} was refused: it was used outside its networks.`),
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

/** The beginning of a sentence: who or what there is news of. */
function subject(event: ToldEvent): string {
  if (event.secret_id !== null) return `${secret(event)} has news`;
  return event.request_id === null ? "Your team has news" : `${request(event)} has news`;
}

function secret(event: ToldEvent, article: "The" | "the" = "The"): string {
  return `${article} secret ${event.secret_id}${about(event)}`;
}

function request(event: ToldEvent): string {
  return `The request ${event.request_id}${about(event)}`;
}

/** The three words of an ask for approval, after `before`. */
function words({ ask }: ToldEvent, before: string): string {
  return ask === null ? "" : `${before} the words ${ask.words.join(", ")}`;
}

/** Somebody who asks for approval. */
function asker({ actor }: ToldEvent): string {
  switch (actor?.kind) {
    case "api_key":
      return String(actor.id);
    case "person":
      return `the person ${actor.id}`;
    case "address":
      return `someone with the proven address ${toHarmlessAddress(actor.address ?? "")}`;
    default:
      return "someone with its link";
  }
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
    case "address":
      return ` by ${toHarmlessAddress(actor.address ?? "")}`;
    default:
      return "";
  }
}
