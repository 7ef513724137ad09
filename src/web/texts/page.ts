import { isLanguageTag } from "../languages/languages.ts";
import type { LanguageTag } from "../languages/languages.ts";
import { localeOf, speak } from "./speaking.ts";

/** What every screen may say. */
export const PAGE = await speak(() => import("../languages/en/page.ts"), {
  de: () => import("../languages/de/page.ts"),
  fr: () => import("../languages/fr/page.ts"),
  es: () => import("../languages/es/page.ts"),
  "pt-BR": () => import("../languages/pt-br/page.ts"),
  it: () => import("../languages/it/page.ts"),
  nl: () => import("../languages/nl/page.ts"),
  pl: () => import("../languages/pl/page.ts"),
  ja: () => import("../languages/ja/page.ts"),
  ar: () => import("../languages/ar/page.ts"),
});

/** The tag of the language that the page speaks (BCP 47). */
export const LANGUAGE: LanguageTag = isLanguageTag(PAGE.language) ? PAGE.language : "en";

/** The reader's own variant of that language (BCP 47), for dates and numbers. */
export const LOCALE: string = localeOf(LANGUAGE);
