import { texts as arAccount } from "./ar/account.ts";
import { texts as ar } from "./ar/document.ts";
import { texts as arPage } from "./ar/page.ts";
import { texts as deAccount } from "./de/account.ts";
import { texts as de } from "./de/document.ts";
import { texts as dePage } from "./de/page.ts";
import { texts as enAccount } from "./en/account.ts";
import { texts as en } from "./en/document.ts";
import { texts as enPage } from "./en/page.ts";
import { texts as esAccount } from "./es/account.ts";
import { texts as es } from "./es/document.ts";
import { texts as esPage } from "./es/page.ts";
import { texts as frAccount } from "./fr/account.ts";
import { texts as fr } from "./fr/document.ts";
import { texts as frPage } from "./fr/page.ts";
import { createGrammar } from "./grammar.ts";
import { texts as itAccount } from "./it/account.ts";
import { texts as it } from "./it/document.ts";
import { texts as itPage } from "./it/page.ts";
import { texts as jaAccount } from "./ja/account.ts";
import { texts as ja } from "./ja/document.ts";
import { texts as jaPage } from "./ja/page.ts";
import type { LanguageTag } from "./languages.ts";
import { texts as nlAccount } from "./nl/account.ts";
import { texts as nl } from "./nl/document.ts";
import { texts as nlPage } from "./nl/page.ts";
import { texts as plAccount } from "./pl/account.ts";
import { texts as pl } from "./pl/document.ts";
import { texts as plPage } from "./pl/page.ts";
import { texts as ptBrAccount } from "./pt-br/account.ts";
import { texts as ptBr } from "./pt-br/document.ts";
import { texts as ptBrPage } from "./pt-br/page.ts";

const DOCUMENTS = {
  en: { own: en, page: enPage, account: enAccount },
  de: { own: de, page: dePage, account: deAccount },
  fr: { own: fr, page: frPage, account: frAccount },
  es: { own: es, page: esPage, account: esAccount },
  "pt-BR": { own: ptBr, page: ptBrPage, account: ptBrAccount },
  it: { own: it, page: itPage, account: itAccount },
  nl: { own: nl, page: nlPage, account: nlAccount },
  pl: { own: pl, page: plPage, account: plAccount },
  ja: { own: ja, page: jaPage, account: jaAccount },
  ar: { own: ar, page: arPage, account: arAccount },
} as const satisfies Readonly<Record<LanguageTag, object>>;

/** What a document in a language says before its script runs, and without it. */
export function readDocumentTexts(tag: LanguageTag) {
  const { own, page, account } = DOCUMENTS[tag];
  const { loading, frame } = page(createGrammar(tag));
  const { opened, ending, handedIn, asked } = account(createGrammar(tag)).account.notices;
  return { loading, promise: frame.promise, mailKinds: { opened, ending, handed_in: handedIn, asked }, ...own };
}
