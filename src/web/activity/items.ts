import { hasEnded } from "../../client/requests.ts";
import { listSecrets } from "../../client/secrets.ts";
import { listAsks } from "../../client/signing-in/approvals.ts";
import type { PendingAsk, Secret } from "../../contract/secrets.ts";
import { listRemembered } from "../browser/labels.ts";
import type { Remembered } from "../browser/labels.ts";
import { loadAsked } from "../service/asked.ts";
import type { AskedRow } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";
import { may } from "../service/scopes.ts";
import { listWithTicket } from "../service/ticket-lists.ts";
import type { ListChoice } from "../service/ticket-lists.ts";

/** A secret that was sent with what this browser remembers of it, or a request. */
export type ActivityItem =
  | ({ readonly kind: "sent"; readonly secret: Secret } & Remembered)
  | { readonly kind: "asked"; readonly asked: AskedRow };

/** How an item stands: something waits to be collected, it waits, was opened to its last, or ended otherwise. */
export type Standing = "needed" | "waiting" | "opened" | "ended";
export const STANDINGS: readonly Standing[] = ["needed", "waiting", "opened", "ended"];

/** A group of the list. */
export type Group = "needed" | "waiting" | "earlier";
export const GROUPS: readonly Group[] = ["needed", "waiting", "earlier"];

/** The activity of a person. What changed last comes first. */
export interface Activity {
  readonly items: readonly ActivityItem[];
  /** What others ask to open, and this person may decide, oldest first. */
  readonly asks: readonly PendingAsk[];
  /** The number of newest secrets, and of requests, that were asked for. */
  readonly limit: number;
  /** True when the server may have more than the limit. */
  readonly hasMore: boolean;
  /** The ticket whose items are all listed, up to the limit; undefined for none. */
  readonly ticket: string | undefined;
  /** When the server was asked, in epoch milliseconds by this machine's clock. */
  readonly askedAt: number;
}

/** What a person sees of what they may not read. */
const NOTHING = { rows: [], hasMore: { all: false, ticket: false } } as const;

/**
 * Loads the newest secrets and requests of a person, all submissions that can be collected, and the asks for approval
 * that wait for them. `list` lists the secrets. Throws ClientError.
 */
export async function loadActivity(
  person: Person,
  choice: ListChoice,
  list: Parameters<typeof listWithTicket<Secret>>[0] = listSecrets,
): Promise<Activity> {
  const askedAt = Date.now();
  const [secrets, requests, asks, remembered] = await Promise.all([
    may(person, "secrets:read") ? listWithTicket(list, person, choice) : NOTHING,
    may(person, "requests:read") ? loadAsked(person, choice) : NOTHING,
    may(person, "secrets:approve") ? listAsks(person.client) : [],
    listRemembered(person.id),
  ]);
  const items: readonly ActivityItem[] = [
    ...secrets.rows.map((secret) => {
      const { label, content } = remembered.get(secret.id) ?? { label: "", content: undefined };
      return { kind: "sent", secret, label, content } as const;
    }),
    ...requests.rows.map((each) => {
      // Once the key is deleted, the label alone has the note.
      const note = each.note || (remembered.get(each.request.id)?.label ?? "");
      return { kind: "asked", asked: { ...each, note } } as const;
    }),
  ];
  return {
    items: items
      .map((item) => ({ item, at: Date.parse(momentOf(item)) }))
      .toSorted((one, other) => other.at - one.at)
      .map(({ item }) => item),
    asks,
    limit: choice.limit,
    hasMore: secrets.hasMore.all || requests.hasMore.all,
    ticket: choice.ticket,
    askedAt,
  };
}

/** The number of submissions that wait and can be opened in this browser. */
export function countToCollect(requests: readonly AskedRow[]): number {
  return requests.filter(canCollect).reduce((sum, { waiting }) => sum + waiting, 0);
}

/** True when this browser has the key, and its person may use it. */
function canCollect({ hasKey, isForbidden }: AskedRow): boolean {
  return hasKey && isForbidden !== true;
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

/** The people whom an item is for; null for everyone with the link. */
export function addresseesOf(item: ActivityItem): readonly string[] | null {
  return (item.kind === "sent" ? item.secret : item.asked.request).for;
}

export function standingOf(item: ActivityItem): Standing {
  if (item.kind === "sent") {
    const { state } = item.secret;
    return state === "available" ? "waiting" : state === "claimed" ? "opened" : "ended";
  }
  const { request, waiting, opened } = item.asked;
  if (waiting > 0) return "needed";
  if (!hasEnded(request)) return "waiting";
  return opened > 0 && opened === request.submission_count ? "opened" : "ended";
}

export function groupOf(item: ActivityItem): Group {
  const standing = standingOf(item);
  return standing === "needed" || standing === "waiting" ? standing : "earlier";
}

/** A counter of openings and submissions, which never falls. */
export function progressOf(item: ActivityItem): number {
  return item.kind === "sent" ? item.secret.claims : item.asked.request.submission_count;
}

/** When an item ended, or was made (RFC 3339). */
export function momentOf(item: ActivityItem): string {
  const { created_at: created, ended_at: ended } = item.kind === "sent" ? item.secret : item.asked.request;
  return ended ?? created;
}

/** True when this browser has the key to a submission of this item. */
export function isCollectable(item: ActivityItem): boolean {
  return item.kind === "asked" && canCollect(item.asked) && item.asked.request.submission_count > 0;
}

/** True when a submission of this item can be opened now, in this browser. */
export function isReady(item: ActivityItem): boolean {
  return isCollectable(item) && standingOf(item) === "needed";
}

/** True when an item has not ended, and the person may revoke it. */
export function canRevoke(person: Pick<Person, "credential">, item: ActivityItem): boolean {
  return item.kind === "sent"
    ? item.secret.state === "available" && may(person, "secrets:revoke")
    : !hasEnded(item.asked.request) && may(person, "requests:revoke");
}
