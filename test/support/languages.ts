import type { texts as account } from "../../src/web/languages/en/account.ts";
import type { texts as activity } from "../../src/web/languages/en/activity.ts";
import type { texts as approving } from "../../src/web/languages/en/approving.ts";
import type { texts as auditing } from "../../src/web/languages/en/auditing.ts";
import type { texts as deciding } from "../../src/web/languages/en/deciding.ts";
import type { texts as landing } from "../../src/web/languages/en/landing.ts";
import type { texts as largeOpening } from "../../src/web/languages/en/large-opening.ts";
import type { texts as largeSending } from "../../src/web/languages/en/large-sending.ts";
import type { texts as login } from "../../src/web/languages/en/login.ts";
import type { texts as mail } from "../../src/web/languages/en/mail.ts";
import type { texts as menu } from "../../src/web/languages/en/menu.ts";
import type { texts as opening } from "../../src/web/languages/en/opening.ts";
import type { texts as page } from "../../src/web/languages/en/page.ts";
import type { texts as people } from "../../src/web/languages/en/people.ts";
import type { texts as proving } from "../../src/web/languages/en/proving.ts";
import type { texts as sending } from "../../src/web/languages/en/sending.ts";
import type { texts as singleSignOn } from "../../src/web/languages/en/single-sign-on.ts";
import type { texts as submitting } from "../../src/web/languages/en/submitting.ts";
import { createGrammar } from "../../src/web/languages/grammar.ts";
import type { Grammar } from "../../src/web/languages/grammar.ts";
import { isLanguageTag, LANGUAGES } from "../../src/web/languages/languages.ts";
import type { LanguageTag } from "../../src/web/languages/languages.ts";
import type { Translation } from "../../src/web/languages/translations.ts";

const AREAS = [
  "account",
  "activity",
  "approving",
  "auditing",
  "deciding",
  "landing",
  "large-opening",
  "large-sending",
  "login",
  "mail",
  "menu",
  "opening",
  "page",
  "people",
  "proving",
  "sending",
  "single-sign-on",
  "submitting",
] as const;

type TextsOf<English extends (grammar: Grammar) => unknown> = ReturnType<Translation<English>>;

/** Everything that the page says. */
export type Strings = TextsOf<typeof account> &
  TextsOf<typeof activity> &
  TextsOf<typeof approving> &
  TextsOf<typeof auditing> &
  TextsOf<typeof deciding> &
  TextsOf<typeof landing> &
  TextsOf<typeof largeOpening> &
  TextsOf<typeof largeSending> &
  TextsOf<typeof login> &
  TextsOf<typeof mail> &
  TextsOf<typeof menu> &
  TextsOf<typeof opening> &
  TextsOf<typeof page> &
  TextsOf<typeof people> &
  TextsOf<typeof proving> &
  TextsOf<typeof sending> &
  TextsOf<typeof singleSignOn> &
  TextsOf<typeof submitting>;

/** The languages that the page speaks. */
export const TAGS: readonly LanguageTag[] = Object.keys(LANGUAGES).filter(isLanguageTag);

/** Everything that the page says in a language, of all its areas. */
export async function loadStrings(tag: LanguageTag): Promise<Strings> {
  const areas = await Promise.all(
    AREAS.map(async (area) => {
      const path = `../../src/web/languages/${tag.toLowerCase()}/${area}.ts`;
      const { texts } = (await import(path)) as { readonly texts: (grammar: Grammar) => object };
      return texts(createGrammar(tag));
    }),
  );
  return Object.assign({}, ...areas) as Strings;
}
