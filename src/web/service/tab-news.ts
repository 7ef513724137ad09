import { useEffect } from "preact/hooks";
import { BRAND } from "../browser/brand.ts";
import { notify } from "./notifications.ts";

/** An event for a person who looks elsewhere. Each event is a new object. */
export interface TabNews {
  readonly text: string;
}

/** The title of the tab without news; undefined while it has none. Several kinds of news share it. */
let plainTitle: string | undefined;

/** Shows an event in the title of a hidden tab until it is visible, and as a notification if allowed. */
export function useTabNews(news: TabNews | undefined): void {
  useEffect(() => {
    if (!news || !document.hidden) return undefined;
    plainTitle ??= document.title;
    document.title = `${news.text} · ${BRAND.name}`;
    notify(news.text);
    const update = () => void (document.hidden || restore());
    document.addEventListener("visibilitychange", update);
    return () => {
      restore();
      document.removeEventListener("visibilitychange", update);
    };
  }, [news]);
}

function restore(): void {
  if (plainTitle !== undefined) document.title = plainTitle;
  plainTitle = undefined;
}
