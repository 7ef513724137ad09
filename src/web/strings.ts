import { readChosenLanguage } from "./languages/choice.ts";
import { en } from "./languages/en.ts";
import { createGrammar } from "./languages/grammar.ts";
import { chooseLanguage, isSameLanguage, LANGUAGES } from "./languages/languages.ts";
import type { LanguageTag } from "./languages/languages.ts";
import type { Strings } from "./languages/translations.ts";

// There is no browser when the page is bundled.
const wanted: readonly string[] = globalThis.navigator?.languages ?? [];

/** Returns the chosen language, else the browser's. Falls back to English when the texts cannot be loaded. */
async function load(): Promise<{ readonly tag: LanguageTag; readonly locale: string; readonly strings: Strings }> {
  const chosen = readChosenLanguage() ?? chooseLanguage(wanted);
  const loaded = await LANGUAGES[chosen].load().catch(() => undefined);
  const tag = loaded ? chosen : "en";
  // Dates and numbers are written differently within one language.
  const locale = wanted.find((each) => isSameLanguage(each, tag)) ?? tag;
  return { tag, locale, strings: (loaded ?? en)(createGrammar(locale)) };
}

const spoken = await load();

/** The tag of the language that the page speaks (BCP 47). */
export const LANGUAGE: LanguageTag = spoken.tag;

/** The reader's own variant of that language (BCP 47), for dates and numbers. */
export const LOCALE: string = spoken.locale;

/** All texts of the page, in that language. */
export const STRINGS: Strings = spoken.strings;
