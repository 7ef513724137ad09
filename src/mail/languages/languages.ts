import { AR } from "./ar.ts";
import { DE } from "./de.ts";
import { EN } from "./en.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { IT } from "./it.ts";
import { JA } from "./ja.ts";
import { NL } from "./nl.ts";
import { PL } from "./pl.ts";
import { PT_BR } from "./pt-br.ts";
import type { MailTexts } from "./texts.ts";

export const LANGUAGES: readonly MailTexts[] = [EN, AR, DE, ES, FR, IT, JA, NL, PL, PT_BR];

/** The texts in the language with this tag (BCP 47), in whatever case and region; English for any other. */
export function textsIn(language: string): MailTexts {
  const wanted = language.toLowerCase();
  return (
    LANGUAGES.find((each) => each.language.toLowerCase() === wanted) ??
    LANGUAGES.find((each) => withoutRegion(each.language) === withoutRegion(wanted)) ??
    EN
  );
}

function withoutRegion(tag: string): string {
  return tag.toLowerCase().replace(/-.*/s, "");
}
