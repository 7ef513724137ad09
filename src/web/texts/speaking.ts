import { readChosenLanguage } from "../languages/choice.ts";
import { withSingleStops } from "../languages/full-stops.ts";
import { createGrammar } from "../languages/grammar.ts";
import type { Grammar } from "../languages/grammar.ts";
import { chooseLanguage, isSameLanguage } from "../languages/languages.ts";
import type { LanguageTag } from "../languages/languages.ts";
import type { Translation } from "../languages/translations.ts";

// There is no browser when the page is bundled.
const wanted: readonly string[] = globalThis.navigator?.languages ?? [];
const chosen = readChosenLanguage() ?? chooseLanguage(wanted);

/** Loads the texts of one area in each language but English. */
type Translations<English extends Texts> = Readonly<
  Record<Exclude<LanguageTag, "en">, () => Promise<{ readonly texts: Translation<English> }>>
>;
type Texts = (grammar: Grammar) => unknown;

/** The texts of an area in the chosen language, else in the browser's. English when these cannot be loaded. */
export async function speak<English extends Texts>(
  english: () => Promise<{ readonly texts: English }>,
  translations: Translations<English>,
): Promise<ReturnType<Translation<English>>> {
  const loaded = chosen === "en" ? undefined : await translations[chosen]().catch(() => undefined);
  if (loaded) return withSingleStops(loaded.texts(grammarOf(chosen)));
  const { texts } = await english();
  // What is English fits where any text may stand, which the compiler can't see of a type that it doesn't know.
  return withSingleStops(texts(grammarOf("en"))) as ReturnType<Translation<English>>;
}

/** The reader's own variant of a language (BCP 47): dates and numbers are written differently within one language. */
export function localeOf(tag: LanguageTag): string {
  return wanted.find((each) => isSameLanguage(each, tag)) ?? tag;
}

const grammarOf = (tag: LanguageTag) => createGrammar(localeOf(tag));
