import { useEffect } from "preact/hooks";
import { loadAsked } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import { countToCollect } from "./items.ts";

/** The number of newest requests to list. Older ones with waiting submissions are listed too. */
const LIMIT = 20;

/** Calls `onCount` with the number of secrets to collect, whenever it changes. */
export function useToCollect(person: Person, onCount: (count: number) => void): void {
  const { value } = useLive(person, async () => countToCollect((await loadAsked(person, { limit: LIMIT })).rows));
  useEffect(() => {
    if (value !== undefined) onCount(value);
  }, [value]);
}
