import { useEffect } from "preact/hooks";
import { BRAND } from "../browser/brand.ts";
import { notify } from "./notifications.ts";

/** An event for a person who looks elsewhere. Each event is a new object. */
export interface TabNews {
  readonly text: string;
}

/** Shows an event in the title of a hidden tab until it is visible, and as a notification if allowed. */
export function useTabNews(news: TabNews | undefined): void {
  useEffect(() => {
    if (!news || !document.hidden) return undefined;
    const former = document.title;
    document.title = `${news.text} · ${BRAND.name}`;
    notify(news.text);
    const update = () => {
      if (!document.hidden) document.title = former;
    };
    document.addEventListener("visibilitychange", update);
    return () => {
      document.title = former;
      document.removeEventListener("visibilitychange", update);
    };
  }, [news]);
}
