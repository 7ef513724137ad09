import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which a person lets a terminal in, in Polish. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "Zezwól terminalowi na dostęp",
    lede: "Wpisz kod, który „handoff login” pokazuje w terminalu.",
    code: "Kod",
    hint: "Ma 8 liter. Wielkość liter i łącznik nie mają znaczenia.",
    goOn: "Dalej",
    checking: "Sprawdzanie…",
    empty: "Najpierw wpisz kod.",
    malformed: "Kod ma 8 liter, na przykład BCDF-GHJK.",
    wrong: "Żaden terminal nie czeka z tym kodem: zawiera błąd, został już użyty albo ma ponad 10 minut.",
    signIn: {
      title: "Najpierw się zaloguj",
      text: "Na dostęp terminala można zezwolić tylko po zalogowaniu. Zaloguj się w innej karcie, a ta przejdzie dalej sama.",
      kept: (code) => `Ta karta przechowuje kod ${code}.`,
      button: "Zaloguj się",
    },
    terminal: {
      title: "Zezwolić temu terminalowi?",
      machine: "Komputer",
      ownWord: "tak sam się nazywa",
      address: "Adres",
      unknown: "Nieznany",
      since: "Początek",
      actsAs: "Będzie działać jako",
      caution:
        "Przejdź dalej tylko, jeśli polecenie „handoff login” zostało przed chwilą uruchomione przez Ciebie na tym komputerze. Jeśli kod przyszedł od kogoś innego, odmów: ta osoba mogłaby działać w Twoim imieniu.",
      allow: "Zezwól",
      allowing: "Zezwalanie…",
      refuse: "Odmów",
      refusing: "Odmawianie…",
    },
    allowed: {
      title: "Zezwolono na dostęp",
      text: "Wróć do terminala. Pozostanie zalogowany najwyżej 12 godzin i tylko do końca Twojej sesji w tej przeglądarce.",
    },
    refused: { title: "Odmówiono dostępu", text: "Terminal nie otrzymał dostępu." },
    gone: {
      title: "Ten terminal już nie czeka",
      text: "Zezwolono mu już na dostęp albo mu odmówiono, albo kod ma ponad 10 minut. Sprawdź w terminalu. Jeśli nie jest zalogowany, uruchom polecenie ponownie.",
    },
    another: "Inny kod",
  },
});
