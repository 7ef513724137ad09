import { isLanguageTag } from "./languages.ts";
import type { LanguageTag } from "./languages.ts";

const KEY = "handoff language";

/** The language that somebody has chosen in this browser; undefined when they have not, or nothing is kept here. */
export function readChosenLanguage(): LanguageTag | undefined {
  try {
    const tag = localStorage.getItem(KEY) ?? "";
    return isLanguageTag(tag) ? tag : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers the choice of a language in this browser, where it keeps anything. */
export function chooseForGood(tag: LanguageTag): void {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // It is the language of this visit then, and asked for again at the next.
  }
}
