import { useEffect } from "preact/hooks";
import { listAskEnds } from "../../client/signing-in/ask-ends.ts";
import type { Waiting } from "../frame/account.ts";
import { loadAsked } from "../service/asked.ts";
import type { Person } from "../service/clients.ts";
import { useLive } from "../service/live.ts";
import { may } from "../service/scopes.ts";
import { useFirstEnd } from "./ask-ends.ts";
import { countToCollect } from "./items.ts";

/** The number of newest requests to list. Older ones with waiting submissions are listed too. */
const LIMIT = 20;

/** True when something can wait for a person. Asks alone aren't worth a reading a minute, without events. */
export function hasWaiting(person: Person): boolean {
  return may(person, "requests:read") || may(person, "secrets:approve", "events:read");
}

/** Calls `onCount` with the numbers of what waits, whenever one changes. */
export function useWaiting(person: Person, onCount: (waiting: Waiting) => void): void {
  const { value, refresh } = useLive(person, async () => {
    const [rows, asks] = await Promise.all([
      may(person, "requests:read") ? loadAsked(person, { limit: LIMIT }).then((asked) => asked.rows) : [],
      may(person, "secrets:approve") ? listAskEnds(person.client) : [],
    ]);
    return { toCollect: countToCollect(rows), asks };
  });
  useFirstEnd(value?.asks, refresh);
  useEffect(() => {
    if (value !== undefined) onCount({ toCollect: value.toCollect, asks: value.asks.length });
  }, [value?.toCollect, value?.asks.length]);
}
