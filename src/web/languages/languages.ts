import { en } from "./en.ts";
import type { Grammar } from "./grammar.ts";
import type { Strings } from "./translations.ts";

/** A language: its strings, put together with its own grammar. */
type Language = (grammar: Grammar) => Strings;

/** An entry of the table of languages. */
interface LanguageEntry {
  /** Its name in itself. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  readonly load: () => Promise<Language>;
}

/** The languages of the page by their tags (BCP 47). English is always there, each other one is loaded when needed. */
export const LANGUAGES = {
  en: { name: "English", direction: "ltr", load: () => Promise.resolve(en) },
  de: { name: "Deutsch", direction: "ltr", load: async () => (await import("./de.ts")).de },
  fr: { name: "Français", direction: "ltr", load: async () => (await import("./fr.ts")).fr },
  es: { name: "Español", direction: "ltr", load: async () => (await import("./es.ts")).es },
  "pt-BR": { name: "Português (Brasil)", direction: "ltr", load: async () => (await import("./pt-br.ts")).ptBr },
  ja: { name: "日本語", direction: "ltr", load: async () => (await import("./ja.ts")).ja },
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
