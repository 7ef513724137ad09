import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isReference } from "../../client/limits.ts";
import { topUrl } from "../browser/places.ts";
import { momentOf, standingOf, STANDINGS, ticketOf } from "./items.ts";
import type { Activity, ActivityItem, Standing } from "./items.ts";
import { createSearch } from "./search.ts";

export type Kind = ActivityItem["kind"];
export const KINDS: readonly Kind[] = ["sent", "asked"];
/** The numbers of days to choose from, today included. */
export const DAYS = [1, 7, 30] as const;
type Days = (typeof DAYS)[number];

/** Which items to list. Undefined and the empty text mean all. */
export interface Filter {
  readonly search: string;
  readonly standing: Standing | undefined;
  readonly kind: Kind | undefined;
  readonly ticket: string | undefined;
  readonly days: Days | undefined;
}

/** What the address says: the filter, and the ID of the item whose details are open. */
export interface View {
  readonly filter: Filter;
  readonly id: string | undefined;
}

export const NO_FILTER: Filter = {
  search: "",
  standing: undefined,
  kind: undefined,
  ticket: undefined,
  days: undefined,
};

/** The view in the address. */
export interface CurrentView extends View {
  /** Changes the searched text. */
  readonly search: (text: string) => void;
  /** Goes back to the list, and true, when the details were opened from the list as it is now. */
  readonly goBack: () => boolean;
}

/** Returns the view in the address, and renders again when the address changes. */
export function useView(): CurrentView {
  const [view, setView] = useState(() => viewOf(location.hash));
  const cameFromList = useRef(false);
  useEffect(() => {
    const update = ({ oldURL }: HashChangeEvent) => {
      const [former, next] = [viewOf(new URL(oldURL).hash), viewOf(location.hash)];
      cameFromList.current = former.id === undefined && next.id !== undefined;
      setView(next);
    };
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return {
    ...view,
    search(text) {
      const next: View = { ...view, filter: { ...view.filter, search: text } };
      setView(next);
      // Back leaves the search, and does not walk through its letters.
      const isNew = view.filter.search === "";
      // Some browsers refuse to change the address so often.
      try {
        history[isNew ? "pushState" : "replaceState"](null, "", addressOf(next));
      } catch {
        return;
      }
    },
    goBack() {
      if (cameFromList.current) history.back();
      return cameFromList.current;
    },
  };
}

/** The address of a view. It is in the fragment, which no server sees: people search for their own labels. */
export function addressOf({ filter, id }: View): string {
  const parts = new URLSearchParams();
  const { search, standing, kind, ticket, days } = filter;
  if (search !== "") parts.set("search", search);
  if (standing) parts.set("state", standing);
  if (kind) parts.set("kind", kind);
  if (ticket !== undefined) parts.set("ticket", ticket);
  if (days) parts.set("days", String(days));
  if (id !== undefined) parts.set("id", id);
  // Without a fragment the browser would load the page again.
  return `${topUrl()}/activity#${parts.size > 0 ? parts.toString() : "all"}`;
}

/** Parses a fragment. What it does not understand counts as nothing. */
export function viewOf(hash: string): View {
  const text = hash.slice(1);
  // Other screens link to `#asked`, and bookmarks lead to `#OPS-4711`.
  if (!text.includes("=")) {
    return {
      filter: { ...NO_FILTER, kind: findKind(text), ticket: isReference(text) ? text : undefined },
      id: undefined,
    };
  }
  const parts = new URLSearchParams(text);
  const ticket = parts.get("ticket") ?? "";
  return {
    filter: {
      search: parts.get("search") ?? "",
      standing: STANDINGS.find((each) => each === parts.get("state")),
      kind: findKind(parts.get("kind")),
      ticket: isReference(ticket) ? ticket : undefined,
      days: DAYS.find((each) => String(each) === parts.get("days")),
    },
    id: parts.get("id") ?? undefined,
  };
}

/** The items that a filter leaves, and how many there are of each standing, with asks among what needs the person. */
export interface Found {
  readonly items: readonly ActivityItem[];
  /** The number of asks for approval among what is counted as `needed`. */
  readonly asks: number;
  readonly counts: ReadonlyMap<Standing, number>;
}

/** Returns the items that `filter` leaves. Counts those and the asks that its parts without the standing leave. */
export function useFound({ items, asks }: Pick<Activity, "items" | "asks">, filter: Filter): Found {
  const { search, standing, kind, ticket, days } = filter;
  return useMemo(() => findAll({ items, asks }, filter), [items, asks, search, standing, kind, ticket, days]);
}

/** The same, once. */
export function findAll({ items, asks }: Pick<Activity, "items" | "asks">, filter: Filter): Found {
  const { search, standing, kind, ticket, days } = filter;
  const isFound = createSearch(search);
  const since = days === undefined ? -Infinity : startOf(days);
  const picked = items.filter(
    (item) =>
      (kind === undefined || item.kind === kind) &&
      (ticket === undefined || ticketOf(item) === ticket) &&
      Date.parse(momentOf(item)) >= since &&
      isFound(item),
  );
  // An ask is no item: what is searched for isn't in it.
  const asked = asks.filter(
    ({ reference, asked_at: at }) =>
      search.trim() === "" &&
      kind !== "asked" &&
      (ticket === undefined || reference === ticket) &&
      Date.parse(at) >= since,
  ).length;
  const counts = new Map<Standing, number>(asked > 0 ? [["needed", asked]] : []);
  for (const item of picked) counts.set(standingOf(item), (counts.get(standingOf(item)) ?? 0) + 1);
  return { items: standing ? picked.filter((item) => standingOf(item) === standing) : picked, asks: asked, counts };
}

/** True when the filter may leave something out. */
export function isFiltered({ search, standing, kind, ticket, days }: Filter): boolean {
  return search.trim() !== "" || [standing, kind, ticket, days].some((each) => each !== undefined);
}

function findKind(text: string | null): Kind | undefined {
  return KINDS.find((each) => each === text);
}

/** The first moment of so many days, of which today is the last. */
function startOf(days: Days): number {
  const today = new Date();
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + 1).getTime();
}
