/** An entry of the table of languages. */
interface LanguageEntry {
  /** Its name in itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
}

/** The languages of the page by their tags (BCP 47). */
export const LANGUAGES = {
  en: { name: "English", direction: "ltr" },
  de: { name: "Deutsch", direction: "ltr" },
  fr: { name: "Français", direction: "ltr" },
  es: { name: "Español", direction: "ltr" },
  "pt-BR": { name: "Português (Brasil)", direction: "ltr" },
  it: { name: "Italiano", direction: "ltr" },
  nl: { name: "Nederlands", direction: "ltr" },
  pl: { name: "Polski", direction: "ltr" },
  ja: { name: "日本語", direction: "ltr" },
  ar: { name: "العربية", direction: "rtl" },
} as const satisfies Readonly<Record<string, LanguageEntry>>;

export type LanguageTag = keyof typeof LANGUAGES;

export function isLanguageTag(tag: string): tag is LanguageTag {
  return Object.hasOwn(LANGUAGES, tag);
}

/**
 * The first of `wanted` (BCP 47, such as `navigator.languages`) that the page speaks, in whatever region; else English.
 */
export function chooseLanguage(wanted: readonly string[]): LanguageTag {
  for (const each of wanted) {
    const found = isLanguageTag(each) ? each : Object.keys(LANGUAGES).find((tag) => isSameLanguage(tag, each));
    if (found !== undefined && isLanguageTag(found)) return found;
  }
  return "en";
}

/** True when two tags name the same language, in whatever region. */
export function isSameLanguage(one: string, other: string): boolean {
  return one.split("-")[0]?.toLowerCase() === other.split("-")[0]?.toLowerCase();
}
