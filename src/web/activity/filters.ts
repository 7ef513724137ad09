import { useEffect, useState } from "preact/hooks";
import { isReference } from "../../client/limits.ts";
import { topUrl } from "../browser/places.ts";
import { KINDS } from "./items.ts";
import type { Filter } from "./items.ts";

/** The filter that the address names, and every one that it comes to name. */
export function useFilter(): Filter {
  const [filter, setFilter] = useState(readFilter);
  useEffect(() => {
    const update = () => setFilter(readFilter());
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return filter;
}

function readFilter(): Filter {
  const name = location.hash.slice(1);
  // No kind has the name of a ticket.
  if (isReference(name)) return { kind: "ticket", ticket: name };
  return { kind: KINDS.find((each) => each === name) ?? "all" };
}

/** The address of what is about a ticket. */
export function addressOfTicket(ticket: string): string {
  return `${topUrl()}/activity#${ticket}`;
}
