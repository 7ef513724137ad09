import { useEffect, useState } from "preact/hooks";
import { FILTERS } from "./items.ts";
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
  return FILTERS.find((each) => location.hash === `#${each}`) ?? "all";
}
