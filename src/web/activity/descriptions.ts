import type { SeenEvent } from "../../client/shapes.ts";
import type { PendingAsk } from "../../contract/secrets.ts";
import type { ContentSummary } from "../browser/labels.ts";
import type { IconName } from "../frame/icon.tsx";
import { describeSize, formatBriefly, formatTime, formatTimeLeft } from "../parts/formats.ts";
import { idEndOf } from "../parts/id-end.tsx";
import { printable } from "../parts/printable.ts";
import type { ShownState } from "../parts/state-chip.tsx";
import { stateOfRequest, stateOfSecret } from "../service/states.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { DECIDING } from "../texts/deciding.ts";
import { LOCALE } from "../texts/page.ts";
import { PEOPLE } from "../texts/people.ts";
import { SENDING } from "../texts/sending.ts";
import { isReady, standingOf, ticketOf } from "./items.ts";
import type { ActivityItem } from "./items.ts";

const { activity: words } = ACTIVITY;
const { deciding } = DECIDING;

/** What an item is called: its label or note, else its kind and what it has, or the ticket that it is about. */
export function titleOf(item: ActivityItem): string {
  if (item.kind === "asked") {
    const ticket = ticketOf(item);
    return item.asked.note || (ticket ? SENDING.ticket.name(ticket) : words.request);
  }
  return printable(item.label) || describeContent(item.content) || words.secret;
}

/** The kind and size of the content of a secret; empty when unknown. A single file is its name. */
export function describeContent(content: ContentSummary | undefined): string {
  switch (content?.kind) {
    case undefined:
      return "";
    case "text":
      return words.contents.text(content.lines);
    case "password":
      return words.contents.password(content.characters);
    case "files": {
      const name = printable(content.firstName);
      return content.count === 1 ? name : words.contents.files(content.count, name);
    }
  }
}

/** The line below the title: the content unless it is the title, the size and the ticket. */
export function factsOf(item: ActivityItem): readonly string[] {
  const ticket = ticketOf(item) ?? "";
  if (item.kind === "asked") {
    // Without a note the ticket is the title.
    const rest = item.asked.note === "" ? "" : ticket;
    return [words.asked(formatTime(item.asked.request.created_at)), rest].filter(Boolean);
  }
  const { secret, label, content } = item;
  const what = (printable(label) && describeContent(content)) || words.sent(formatTime(secret.created_at));
  return [what, describeSize(secret) ?? "", ticket].filter(Boolean);
}

export function iconOf(item: ActivityItem): IconName {
  if (item.kind === "asked") return isReady(item) ? "inbox" : "form";
  switch (item.content?.kind) {
    case undefined:
      return "sealed";
    case "text":
      return "text";
    case "password":
      return "key";
    case "files":
      return item.content.count === 1 ? "file" : "files";
  }
}

export function stateOf(item: ActivityItem): ShownState {
  return item.kind === "sent" ? stateOfSecret(item.secret) : stateOfRequest(item.asked);
}

/** The time of a row. */
export interface RowTime {
  /** The time left, or the time or day of the end. */
  readonly text: string;
  /** The same moment in full. */
  readonly full: string;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * Returns when an item ends or ended. Undefined for a request whose submissions were opened: the server reports when it
 * ended, and not when they were opened.
 */
export function timeOf(item: ActivityItem): RowTime | undefined {
  const { expires_at: expires, ended_at: ended } = item.kind === "sent" ? item.secret : item.asked.request;
  if (ended === null) return { text: formatTimeLeft(expires), full: formatTime(expires), at: expires };
  if (item.kind === "asked" && standingOf(item) === "opened") return undefined;
  return { text: formatBriefly(ended), full: formatTime(ended), at: ended };
}

/** Says that someone with a link didn't prove a chosen address, and which they gave, if the server says it. */
export function describeRefusal({ actor }: SeenEvent): string {
  const { refusedOne, refusedUnnamed } = PEOPLE.people;
  return actor?.address ? refusedOne(printable(actor.address)) : refusedUnnamed;
}

/** What somebody has sent with this ID; undefined when it is not among `items`. */
export function findSent(items: readonly ActivityItem[], id: string) {
  return items.filter((item) => item.kind === "sent").find(({ secret }) => secret.id === id);
}

/** What the secret of an ask is called: as its row is, else by its ticket, or the end of its ID. */
export function nameOfAsked({ secret_id: id, reference }: PendingAsk, items: readonly ActivityItem[]): string {
  const sent = findSent(items, id);
  const own = sent && (printable(sent.label) || describeContent(sent.content));
  return own || (reference === null ? deciding.secret(idEndOf(id)) : SENDING.ticket.name(reference));
}

/** Who asks, within a sentence: by the address that they have proven, else by their identity, or by the link alone. */
export function describeAsker(address: string | null, identity: string | null): string {
  if (address !== null) return deciding.proven(printable(address));
  return identity === null ? deciding.unproven : deciding.teammate(idEndOf(identity));
}

/** The words of an ask, in English everywhere. */
export function joinWords(list: readonly string[]): string {
  return list.map(printable).join(", ");
}

/** Names the month of a time (RFC 3339), with the year when it is another one. */
export function nameMonth(time: string): string {
  const at = new Date(time);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(LOCALE, { month: "long", ...(isThisYear ? {} : { year: "numeric" }) }).format(at);
}
