import { hasEnded } from "../../client/requests.ts";
import { listSecrets } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { listLabels } from "../browser/labels.ts";
import { loadAsked } from "../service/asked.ts";
import type { AskedRow } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";
import { listWithTicket } from "../service/ticket-lists.ts";
import type { ListChoice } from "../service/ticket-lists.ts";

/** A secret that was sent, or a request. The label is the person's own name for it; empty when it has none. */
export type ActivityItem =
  | { readonly kind: "sent"; readonly secret: Secret; readonly label: string }
  | { readonly kind: "asked"; readonly asked: AskedRow };

/** A group of the list: can be collected here, waiting, or over. */
export type Group = "collect" | "waiting" | "done";
export const GROUPS: readonly Group[] = ["collect", "waiting", "done"];

/** The kinds of activity to show. */
export type Kind = "all" | "sent" | "asked";
export const KINDS: readonly Kind[] = ["all", "sent", "asked"];

/** A filter of the list: by kind, or by ticket. */
export type Filter =
  { readonly kind: Kind; readonly ticket?: undefined } | { readonly kind: "ticket"; readonly ticket: string };

/** The activity of a person, newest first. */
export interface Activity {
  readonly items: readonly ActivityItem[];
  /** True when the server has more than the limit. */
  readonly hasMore: Readonly<Record<Filter["kind"], boolean>>;
  /** The ticket whose items are all listed, up to the limit; undefined for none. */
  readonly ticket: string | undefined;
  /** When the server was asked, in epoch milliseconds by this machine's clock. */
  readonly askedAt: number;
}

/** Loads the newest secrets and requests of a person, and all submissions that can be collected. Throws ClientError. */
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

/** The number of submissions that wait and can be opened with a key in this browser. */
export function countToCollect(requests: readonly AskedRow[]): number {
  return requests.filter(({ hasKey }) => hasKey).reduce((sum, { waiting }) => sum + waiting, 0);
}

/** The same count over items. */
export function countItemsToCollect(items: readonly ActivityItem[]): number {
  return countToCollect(items.flatMap((item) => (item.kind === "asked" ? [item.asked] : [])));
}

export function idOf(item: ActivityItem): string {
  return item.kind === "sent" ? item.secret.id : item.asked.request.id;
}

/** The ticket of an item; null when it has none. */
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

/** A counter of openings and submissions, which never falls. */
export function progressOf(item: ActivityItem): number {
  return item.kind === "sent" ? item.secret.claims : item.asked.request.submission_count;
}

/** RFC 3339. */
function createdAt(item: ActivityItem): string {
  return item.kind === "sent" ? item.secret.created_at : item.asked.request.created_at;
}
