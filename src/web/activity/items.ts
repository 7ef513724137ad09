import { hasEnded } from "../../client/requests.ts";
import { listSecrets } from "../../client/secrets.ts";
import type { Secret } from "../../contract/secrets.ts";
import { listLabels } from "../browser/labels.ts";
import { loadAsked } from "../service/asked.ts";
import type { AskedRow } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";

/** Something that somebody sent or asked for; the label is what they call it themselves, and empty where they do not. */
export type ActivityItem =
  | { readonly kind: "sent"; readonly secret: Secret; readonly label: string }
  | { readonly kind: "asked"; readonly asked: AskedRow };

/** A part of the list: what can be collected here, what is still to come, and what is over. */
export type Group = "collect" | "waiting" | "done";
export const GROUPS: readonly Group[] = ["collect", "waiting", "done"];

/** The part of the activity that is shown. */
export type Filter = "all" | "sent" | "asked";
export const FILTERS: readonly Filter[] = ["all", "sent", "asked"];

/** The activity of a person, newest first. */
export interface Activity {
  readonly items: readonly ActivityItem[];
  /** True when there is more than was asked for. */
  readonly hasMore: Readonly<Record<Filter, boolean>>;
  /** Epoch milliseconds by this machine's clock, when the server was asked. */
  readonly askedAt: number;
}

/** The newest `limit` secrets and requests of a person each, and all that can be collected. Throws ClientError. */
export async function loadActivity(person: Person, limit: number): Promise<Activity> {
  const askedAt = Date.now();
  const [secrets, requests, labels] = await Promise.all([
    listSecrets(person.client, { limit, createdBy: person.id }),
    loadAsked(person, limit),
    listLabels(person.id),
  ]);
  const [sent, asked] = [secrets.length >= limit, requests.hasMore];
  const items: readonly ActivityItem[] = [
    ...secrets.map((secret) => ({ kind: "sent", secret, label: labels.get(secret.id) ?? "" }) as const),
    ...requests.rows.map((each) => ({ kind: "asked", asked: each }) as const),
  ];
  const newestFirst = items.toSorted((one, other) => Date.parse(createdAt(other)) - Date.parse(createdAt(one)));
  return { items: newestFirst, hasMore: { all: sent || asked, sent, asked }, askedAt };
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
