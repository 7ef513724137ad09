import { useEffect, useRef, useState } from "preact/hooks";
import type { TabNews } from "../service/tab-news.ts";
import { ACTIVITY } from "../texts/activity.ts";
import { stateOf, titleOf } from "./descriptions.ts";
import { idOf, progressOf } from "./items.ts";
import type { ActivityItem } from "./items.ts";

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
