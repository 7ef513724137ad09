import { useEffect, useState } from "preact/hooks";
import { isReference } from "../../client/limits.ts";
import { topUrl } from "../browser/places.ts";
import { KINDS } from "./items.ts";
import type { Filter } from "./items.ts";

/** Returns the filter in the address, and renders again when the address changes. */
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
  // No kind looks like a ticket.
  if (isReference(name)) return { kind: "ticket", ticket: name };
  return { kind: KINDS.find((each) => each === name) ?? "all" };
}

/** The address of the list filtered by a ticket. */
export function addressOfTicket(ticket: string): string {
  return `${topUrl()}/activity#${ticket}`;
}
