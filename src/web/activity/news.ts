import { useEffect, useRef, useState } from "preact/hooks";
import { listEvents } from "../../client/events.ts";
import type { PendingAsk } from "../../contract/secrets.ts";
import type { Person } from "../service/clients.ts";
import { may } from "../service/scopes.ts";
import type { TabNews } from "../service/tab-news.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { DECIDING } from "../texts/deciding.ts";
import { describeRefusal, joinWords, nameOfAsked, stateOf, titleOf } from "./descriptions.ts";
import { addresseesOf, idOf, progressOf } from "./items.ts";
import type { Activity, ActivityItem } from "./items.ts";

interface News {
  /** The changes since the previous items, for screen readers; empty when there are none. */
  readonly said: string;
  /** Set when something was opened or handed in. */
  readonly arrived: TabNews | undefined;
}

interface Former {
  readonly state: string;
  readonly progress: number;
}

/** The changes in `items` since the previous ones. `items` is undefined until loaded. */
export function useNews(items: readonly ActivityItem[] | undefined): News {
  const former = useRef(new Map<string, Former>());
  const [news, setNews] = useState<News>({ said: "", arrived: undefined });
  useEffect(() => {
    if (!items) return;
    const known = former.current;
    former.current = new Map(
      items.map((item) => [idOf(item), { state: stateOf(item).text, progress: progressOf(item) }]),
    );
    const changed = items.filter((item) => {
      const before = known.get(idOf(item));
      return before !== undefined && before.state !== stateOf(item).text;
    });
    if (changed.length === 0) return;
    const arrivals = changed.filter((item) => progressOf(item) > (known.get(idOf(item))?.progress ?? 0));
    setNews({
      said: tell(changed),
      arrived: arrivals.length > 0 ? { text: tell(arrivals) } : undefined,
    });
  }, [items]);
  return news;
}

function tell(items: readonly ActivityItem[]): string {
  return items.map((item) => ACTIVITY.activity.news(titleOf(item), stateOf(item).text)).join(" ");
}

/**
 * The last proof that was refused since the first `items`, in words, for a secret or request among them that is for
 * chosen people. Undefined before the first one. The log of events is read again for each new list of items.
 */
export function useRefusals(person: Person, items: readonly ActivityItem[] | undefined): TabNews | undefined {
  const after = useRef<string | undefined>("now");
  const [news, setNews] = useState<TabNews | undefined>(undefined);
  useEffect(() => {
    const chosen = new Map((items ?? []).filter(addresseesOf).map((item) => [idOf(item), item]));
    if (chosen.size === 0 || !may(person, "events:read")) return;
    const read = async () => {
      const { events, next } = await listEvents(person.client, after.current);
      after.current = next;
      const told = events.flatMap((event) => {
        const item = chosen.get(event.secret_id ?? event.request_id ?? "");
        const isRefusal = event.type === "secret.proof_refused" || event.type === "request.proof_refused";
        return item && isRefusal ? ACTIVITY.activity.news(titleOf(item), describeRefusal(event)) : [];
      });
      if (told.length > 0) setNews({ text: told.join(" ") });
    };
    // The next list of items asks for the same events.
    read().catch(() => undefined);
  }, [items]);
  return news;
}

/** The asks for approval that the previous activity didn't have, in words. Undefined before the first one. */
export function useAskNews(activity: Activity | undefined): TabNews | undefined {
  const former = useRef<readonly PendingAsk[]>([]);
  const [news, setNews] = useState<TabNews | undefined>(undefined);
  useEffect(() => {
    if (!activity) return;
    const { asks, items } = activity;
    const arrived = asks.filter(({ id }) => !former.current.some((each) => each.id === id));
    former.current = asks;
    if (arrived.length === 0) return;
    const told = arrived.map((ask) => DECIDING.deciding.news(nameOfAsked(ask, items), joinWords(ask.words)));
    setNews({ text: told.join(" ") });
  }, [activity]);
  return news;
}
