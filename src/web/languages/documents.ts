import { texts as ar } from "./ar/document.ts";
import { texts as arPage } from "./ar/page.ts";
import { texts as de } from "./de/document.ts";
import { texts as dePage } from "./de/page.ts";
import { texts as en } from "./en/document.ts";
import { texts as enPage } from "./en/page.ts";
import { texts as es } from "./es/document.ts";
import { texts as esPage } from "./es/page.ts";
import { texts as fr } from "./fr/document.ts";
import { texts as frPage } from "./fr/page.ts";
import { createGrammar } from "./grammar.ts";
import { texts as it } from "./it/document.ts";
import { texts as itPage } from "./it/page.ts";
import { texts as ja } from "./ja/document.ts";
import { texts as jaPage } from "./ja/page.ts";
import type { LanguageTag } from "./languages.ts";
import { texts as nl } from "./nl/document.ts";
import { texts as nlPage } from "./nl/page.ts";
import { texts as pl } from "./pl/document.ts";
import { texts as plPage } from "./pl/page.ts";
import { texts as ptBr } from "./pt-br/document.ts";
import { texts as ptBrPage } from "./pt-br/page.ts";

const DOCUMENTS = {
  en: { own: en, page: enPage },
  de: { own: de, page: dePage },
  fr: { own: fr, page: frPage },
  es: { own: es, page: esPage },
  "pt-BR": { own: ptBr, page: ptBrPage },
  it: { own: it, page: itPage },
  nl: { own: nl, page: nlPage },
  pl: { own: pl, page: plPage },
  ja: { own: ja, page: jaPage },
  ar: { own: ar, page: arPage },
} as const satisfies Readonly<Record<LanguageTag, object>>;

/** What a document in a language says before its script runs, and without it. */
export function readDocumentTexts(tag: LanguageTag) {
  const { own, page } = DOCUMENTS[tag];
  const { loading, frame } = page(createGrammar(tag));
  return { loading, promise: frame.promise, ...own };
}
