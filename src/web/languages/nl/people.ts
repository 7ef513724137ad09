import type { texts as english } from "../en/people.ts";
import type { Translation } from "../translations.ts";

/** What the screens say about the people whom a secret or a request is for, in Dutch. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  people: {
    whoOpens: "Wie mag het openen?",
    whoHandsIn: "Wie mag iets aanleveren?",
    everyone: "Iedereen met de link",
    hint: "Typ mailadressen, of *@example.com voor iedereen van een domein.",
    worth:
      "De server controleert dat met een code die hij naar het adres mailt. Wie de server beheert, kan dat overslaan. Houd de link dus geheim.",
    only: "alleen gekozen mensen",
    remove: (address) => `${address} verwijderen`,
    wrong: "Dit is geen adres. Een adres ziet eruit als ann@example.com.",
    tooMany: (most) => `Kies er hooguit ${most}.`,
    required: "De regels van je team vragen om te zeggen wie.",
    onlyAt: (domains: string) => `De regels van je team laten alleen mensen toe van: ${domains}.`,
    refused: "De server accepteert een van deze adressen niet. Controleer ze.",
    chosen: "Voor",
    lede: (times, when) =>
      plural(times, {
        one: `Alleen de mensen die je koos kunnen het geheim openen, één keer. Het verloopt ${when}. De link wordt niet nog een keer getoond.`,
        other: `Alleen de mensen die je koos kunnen het geheim openen, in totaal {n} keer. Het verloopt ${when}. De link wordt niet nog een keer getoond.`,
      }),
    asked: "Door jou gevraagd",
    opened: (address) => `Geopend door ${address}, adres bewezen`,
    handedIn: (address) => `Aangeleverd door ${address}, adres bewezen`,
    refusedOne: (address) => `Iemand met de link gaf het adres ${address} op en bewees geen van de gekozen adressen`,
    refusedUnnamed: "Iemand met de link bewees geen van de gekozen adressen",
  },
});
