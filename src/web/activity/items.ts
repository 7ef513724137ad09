import { hasEnded } from "../../client/requests.ts";
import { listSecrets } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { listLabels } from "../browser/labels.ts";
import { loadAsked } from "../service/asked.ts";
import type { AskedRow } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";
import { listWithTicket } from "../service/ticket-lists.ts";
import type { ListChoice } from "../service/ticket-lists.ts";

/** Something that somebody sent or asked for; the label is what they call it themselves, and empty where they do not. */
export type ActivityItem =
  | { readonly kind: "sent"; readonly secret: Secret; readonly label: string }
  | { readonly kind: "asked"; readonly asked: AskedRow };

/** A part of the list: what can be collected here, what is still to come, and what is over. */
export type Group = "collect" | "waiting" | "done";
export const GROUPS: readonly Group[] = ["collect", "waiting", "done"];

/** The kinds of which the activity is shown. */
export type Kind = "all" | "sent" | "asked";
export const KINDS: readonly Kind[] = ["all", "sent", "asked"];

/** The part of the activity that is shown: of a kind, or what is about a ticket. */
export type Filter =
  { readonly kind: Kind; readonly ticket?: undefined } | { readonly kind: "ticket"; readonly ticket: string };

/** The activity of a person, newest first. */
export interface Activity {
  readonly items: readonly ActivityItem[];
  /** True when there is more than was asked for. */
  readonly hasMore: Readonly<Record<Filter["kind"], boolean>>;
  /** The ticket of which everything is in it that is listed, up to the limit. */
  readonly ticket: string | undefined;
  /** Epoch milliseconds by this machine's clock, when the server was asked. */
  readonly askedAt: number;
}

/** The newest secrets and requests of a person, so many of each, and all that can be collected. Throws ClientError. */
export async function loadActivity(person: Person, choice: ListChoice): Promise<Activity> {
  const askedAt = Date.now();
  const [secrets, requests, labels] = await Promise.all([
    listWithTicket(listSecrets, person, choice),
    loadAsked(person, choice),
    listLabels(person.id),
  ]);
  const [sent, asked] = [secrets.hasMore, requests.hasMore];
  const items: readonly ActivityItem[] = [
    ...secrets.rows.map((secret) => ({ kind: "sent", secret, label: labels.get(secret.id) ?? "" }) as const),
    ...requests.rows.map((each) => ({ kind: "asked", asked: each }) as const),
  ];
  const newestFirst = items.toSorted((one, other) => Date.parse(createdAt(other)) - Date.parse(createdAt(one)));
  return {
    items: newestFirst,
    hasMore: {
      all: sent.all || asked.all,
      sent: sent.all,
      asked: asked.all,
      ticket: sent.ticket || asked.ticket,
    },
    ticket: choice.ticket,
    askedAt,
  };
}

/** The number of secrets that wait to be collected with a key that this browser has. */
export function countToCollect(requests: readonly AskedRow[]): number {
  return requests.filter(({ hasKey }) => hasKey).reduce((sum, { waiting }) => sum + waiting, 0);
}

/** The same of items. */
export function countItemsToCollect(items: readonly ActivityItem[]): number {
  return countToCollect(items.flatMap((item) => (item.kind === "asked" ? [item.asked] : [])));
}

export function idOf(item: ActivityItem): string {
  return item.kind === "sent" ? item.secret.id : item.asked.request.id;
}

/** The ticket that it is about; null for none. */
export function ticketOf(item: ActivityItem): string | null {
  return item.kind === "sent" ? item.secret.reference : item.asked.request.reference;
}

export function isShown(item: ActivityItem, filter: Filter): boolean {
  if (filter.ticket !== undefined) return ticketOf(item) === filter.ticket;
  return filter.kind === "all" || item.kind === filter.kind;
}

export function groupOf(item: ActivityItem): Group {
  if (item.kind === "sent") return item.secret.state === "available" ? "waiting" : "done";
  const { request, waiting } = item.asked;
  if (waiting > 0) return "collect";
  return hasEnded(request) ? "done" : "waiting";
}

/** A number that grows when something is opened or handed in, and never otherwise. */
export function progressOf(item: ActivityItem): number {
  return item.kind === "sent" ? item.secret.claims : item.asked.request.submission_count;
}

/** RFC 3339. */
function createdAt(item: ActivityItem): string {
  return item.kind === "sent" ? item.secret.created_at : item.asked.request.created_at;
}
