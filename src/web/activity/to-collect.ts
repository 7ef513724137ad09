import { useEffect } from "preact/hooks";
import { loadAsked } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import { countToCollect } from "./items.ts";

/** The number of the newest requests that are listed; older ones from which something waits are there, too. */
const LIMIT = 20;

/** Tells `onCount` how much waits to be collected, whenever that changes. */
export function useToCollect(person: Person, onCount: (count: number) => void): void {
  const { value } = useLive(person, async () => countToCollect((await loadAsked(person, { limit: LIMIT })).rows));
  useEffect(() => {
    if (value !== undefined) onCount(value);
  }, [value]);
}
