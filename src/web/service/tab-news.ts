import { useEffect } from "preact/hooks";
import { BRAND } from "../browser/brand.ts";
import { notify } from "./notifications.ts";

/** Something that has happened, for whoever is looking elsewhere; each is an object of its own. */
export interface TabNews {
  readonly text: string;
}

/** Has the title of a tab that nobody looks at say what has happened, until it is looked at; a notification too, where allowed. */
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
