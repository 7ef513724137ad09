import type { SeenEvent } from "../../client/shapes.ts";
import { formatTime } from "../terminal/times.ts";

/** The events of a secret in words, each on a line after its time; empty when there are none. */
export function describeHistory(all: readonly SeenEvent[]): string {
  const events = all.filter(({ type }) => Object.hasOwn(DONE, type));
  const times = events.map(({ created_at: at }) => formatTime(at));
  const width = Math.max(...times.map((time) => time.length));
  return events.map((event, at) => `  ${(times[at] ?? "").padEnd(width)}  ${describeEvent(event)}\n`).join("");
}

/** Words for the event types that this version knows. Types of later servers get no line. */
const DONE: Readonly<Record<string, string>> = {
  "secret.created": "created",
  "secret.changed": "changed",
  "secret.claimed": "opened",
  "secret.expired": "expired",
  "secret.revoked": "revoked",
  "secret.proof_refused": "refused a proof",
  "secret.approval_asked": "asked to be let in",
  "secret.approved": "let in",
  "secret.refused": "not let in",
};

function describeEvent({ type, actor, ask }: SeenEvent): string {
  if (type === "secret.created" && actor?.kind === "link") return "handed in through the request link";
  if (type === "secret.created" && actor?.kind === "address") return ["handed in", describeActor(actor)].join(" ");
  if (type === "secret.proof_refused")
    return [DONE[type], actor?.address && `of ${actor.address}`].filter(Boolean).join(" ");
  const done = [DONE[type] ?? null, actor && describeActor(actor)].filter((part) => part !== null).join(" ");
  return ask === null ? done : `${done}: ${ask.words.join(", ")}`;
}

/** The name of the actor, with the identity's id if the viewer may know it. */
function describeActor({ kind, id, address }: NonNullable<SeenEvent["actor"]>): string | null {
  const named = id === null ? "" : ` (${id})`;
  switch (kind) {
    case "api_key":
      return `with an API key${named}`;
    case "person":
      return `by a person who was signed in${named}`;
    case "link":
      return "with the link";
    case "address":
      return address === null ? "by somebody who proved their address" : `by ${address}, who proved it`;
    default:
      return null;
  }
}
