import { readChosenLanguage } from "../languages/choice.ts";
import { createGrammar } from "../languages/grammar.ts";
import type { Grammar } from "../languages/grammar.ts";
import { chooseLanguage, isSameLanguage } from "../languages/languages.ts";
import type { LanguageTag } from "../languages/languages.ts";
import type { Translated } from "../languages/translations.ts";

// There is no browser when the page is bundled.
const wanted: readonly string[] = globalThis.navigator?.languages ?? [];
const chosen = readChosenLanguage() ?? chooseLanguage(wanted);

/** Loads the texts of one area in each language but English. */
type Translations<Texts> = Readonly<
  Record<Exclude<LanguageTag, "en">, () => Promise<{ readonly texts: (grammar: Grammar) => Translated<Texts> }>>
>;

/**
 * The texts of an area in the chosen language, else in the browser's. Falls back to English when they cannot be loaded:
 * `english` is always there.
 */
export async function speak<Texts>(
  english: (grammar: Grammar) => Texts,
  translations: Translations<Texts>,
): Promise<Translated<Texts>> {
  const loaded = chosen === "en" ? undefined : await translations[chosen]().catch(() => undefined);
  // What is English fits where any text may stand, which the compiler can't see of a type that it doesn't know.
  return loaded ? loaded.texts(grammarOf(chosen)) : (english(grammarOf("en")) as Translated<Texts>);
}

/** The reader's own variant of a language (BCP 47): dates and numbers are written differently within one language. */
export function localeOf(tag: LanguageTag): string {
  return wanted.find((each) => isSameLanguage(each, tag)) ?? tag;
}

const grammarOf = (tag: LanguageTag) => createGrammar(localeOf(tag));
