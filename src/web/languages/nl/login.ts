import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which a person lets a terminal in, in Dutch. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "Een terminal toelaten",
    lede: "Typ de code die ‘handoff login’ in de terminal toont.",
    code: "Code",
    hint: "De code heeft 8 letters. Hoofdletters en het streepje maken niet uit.",
    goOn: "Verder",
    checking: "Controleren…",
    empty: "Typ eerst de code.",
    malformed: "Een code heeft 8 letters, zoals BCDF-GHJK.",
    wrong:
      "Er wacht geen terminal met deze code: er zit een typefout in, hij is al gebruikt of hij is ouder dan 10 minuten.",
    signIn: {
      title: "Log eerst in",
      text: "Alleen wie is ingelogd, kan een terminal toelaten. Log in een ander tabblad in, dan gaat het hier vanzelf verder.",
      kept: (code) => `Dit tabblad bewaart de code ${code}.`,
      button: "Inloggen",
    },
    terminal: {
      title: "Deze terminal toelaten?",
      machine: "Computer",
      ownWord: "zoals hij zichzelf noemt",
      address: "Adres",
      unknown: "Onbekend",
      since: "Begonnen",
      actsAs: "De terminal handelt als",
      caution:
        "Ga alleen verder als je ‘handoff login’ zojuist zelf op deze computer hebt uitgevoerd. Heeft iemand je de code gestuurd? Weiger dan: die persoon zou namens jou kunnen handelen.",
      allow: "Toelaten",
      allowing: "Toelaten…",
      refuse: "Weigeren",
      refusing: "Weigeren…",
    },
    allowed: {
      title: "Toegelaten",
      text: "Ga terug naar de terminal. Die blijft hooguit 12 uur ingelogd, en alleen zolang jij hier bent ingelogd.",
    },
    refused: { title: "Geweigerd", text: "De terminal is niet toegelaten." },
    gone: {
      title: "Deze terminal wacht niet meer",
      text: "Hij is al toegelaten of geweigerd, of de code is ouder dan 10 minuten. Kijk in de terminal. Is hij niet ingelogd, voer de opdracht dan opnieuw uit.",
    },
    another: "Andere code",
  },
});
