import type { texts as english } from "../en/deciding.ts";
import type { Translation } from "../translations.ts";

/** What is said where the opening of a secret has to be approved, in German. */
export const texts: Translation<typeof english> = ({ number }) => ({
  deciding: {
    title: "Zulassen?",
    showAll: (count) => `Alle ${number(count)} anzeigen`,
    wants: "Jemand möchte diesen Inhalt öffnen.",
    secret: (idEnd) => `Vertrauliches ${idEnd}`,
    same: "Die andere Person sieht dieselben Wörter. Fragen Sie am Telefon danach.",
    who: "Wer",
    sender: "Absender",
    proven: (address) => `${address}, Adresse nachgewiesen`,
    unproven: "jemand mit dem Link, keine Adresse nachgewiesen",
    teammate: (idEnd) => `jemand aus dem Team, ID ${idEnd}`,
    asked: "Gefragt",
    until: "Wartezeit endet",
    letIn: "Zulassen",
    refuse: "Ablehnen",
    refuseLater: "Doch ablehnen",
    busy: { approved: "Wird zugelassen …", refused: "Wird abgelehnt …" },
    outcomes: {
      approved: "Zugelassen, für einmaliges Öffnen innerhalb von 10 Minuten.",
      refused: "Abgelehnt. Die andere Person kann noch einmal fragen.",
      over: "Zu spät: Die Wartezeit ist abgelaufen, der Inhalt wurde geöffnet oder widerrufen, es wurde noch einmal gefragt, oder jemand anderes hat entschieden.",
      not_approver: "Das muss jemand anderes entscheiden.",
    },
    news: (name, list) => `Jemand möchte „${name}“ öffnen: ${list}.`,
    approver: { title: "Zustimmung", sender: "Von Ihnen", team: "Von jemand anderem aus Ihrem Team" },
    history: {
      asked: (who, list) => `Zulassung erbeten: ${who} (${list})`,
      letIn: { you: (list) => `Von Ihnen zugelassen (${list})`, other: (list) => `Im Team zugelassen (${list})` },
      refused: { you: (list) => `Von Ihnen abgelehnt (${list})`, other: (list) => `Im Team abgelehnt (${list})` },
    },
  },
});
