import type { texts as english } from "../en/login.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which a person lets a terminal in, in German. */
export const texts: Translation<typeof english> = () => ({
  login: {
    title: "Terminal zulassen",
    lede: "Geben Sie den Code ein, den „handoff login“ im Terminal anzeigt.",
    code: "Code",
    hint: "Er hat 8 Buchstaben. Großschreibung und Bindestrich spielen keine Rolle.",
    goOn: "Weiter",
    checking: "Wird geprüft …",
    empty: "Geben Sie zuerst den Code ein.",
    malformed: "Ein Code hat 8 Buchstaben, wie in BCDF-GHJK.",
    wrong:
      "Mit diesem Code wartet kein Terminal: Er enthält einen Tippfehler, wurde schon verwendet oder ist älter als 10 Minuten.",
    signIn: {
      title: "Melden Sie sich zuerst an",
      text: "Nur wer angemeldet ist, kann ein Terminal zulassen. Melden Sie sich in einem anderen Tab an, dann geht es hier von selbst weiter.",
      kept: (code) => `Dieser Tab behält den Code ${code}.`,
      button: "Anmelden",
    },
    terminal: {
      title: "Dieses Terminal zulassen?",
      machine: "Gerät",
      ownWord: "wie es sich selbst nennt",
      address: "Adresse",
      unknown: "Unbekannt",
      since: "Begonnen",
      actsAs: "Es wird handeln als",
      caution:
        "Fahren Sie nur fort, wenn Sie „handoff login“ gerade selbst auf diesem Gerät ausgeführt haben. Wenn Ihnen jemand den Code geschickt hat, lehnen Sie ab: Diese Person könnte sonst in Ihrem Namen handeln.",
      allow: "Zulassen",
      allowing: "Wird zugelassen …",
      refuse: "Ablehnen",
      refusing: "Wird abgelehnt …",
    },
    allowed: {
      title: "Zugelassen",
      text: "Gehen Sie zurück zum Terminal. Es bleibt höchstens 12 Stunden angemeldet, und nur, solange Sie hier angemeldet sind.",
    },
    refused: { title: "Abgelehnt", text: "Das Terminal wurde nicht zugelassen." },
    gone: {
      title: "Dieses Terminal wartet nicht mehr",
      text: "Es wurde schon zugelassen oder abgelehnt, oder der Code ist älter als 10 Minuten. Sehen Sie im Terminal nach. Wenn es nicht angemeldet ist, führen Sie den Befehl noch einmal aus.",
    },
    another: "Anderer Code",
  },
});
