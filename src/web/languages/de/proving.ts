import type { texts as english } from "../en/proving.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a link that is for chosen people say, in German. */
export const texts: Translation<typeof english> = () => ({
  proof: {
    forAddress: (address) => `Das ist für ${address}.`,
    forDomain: (domain) => `Das ist für alle mit einer Adresse bei ${domain}.`,
    forSeveral: "Das ist für:",
    everyoneAt: (domain) => `Alle bei ${domain}`,
    hint: "Geben Sie Ihre ganze Adresse ein. Sie bekommen einen Code per Mail und brauchen kein Konto.",
    hintOne: (start, end) =>
      `Geben Sie die ganze Adresse ein: Sie beginnt mit ${start} und endet mit ${end}. Sie bekommen einen Code per Mail und brauchen kein Konto.`,
    sent: (address) => `Wenn ${address} eine der ausgewählten Adressen ist, ist eine Mail mit einem Code unterwegs.`,
    resent: (address) =>
      `Wenn ${address} eine der ausgewählten Adressen ist, ist eine Mail mit einem neuen Code unterwegs. Nur der neue funktioniert.`,
    continue: "Weiter",
    openAs: (address) => `Als ${address} öffnen`,
    continueAs: (address) => `Weiter als ${address}`,
    notFor: (address) =>
      `Sie sind als ${address} angemeldet, und für diese Adresse ist das nicht. Nehmen Sie eine andere, oder fragen Sie die Person, von der Sie den Link haben.`,
    ended: "Sie haben Ihre Adresse vor mehr als 10 Minuten bestätigt. Lassen Sie sich einen neuen Code senden.",
    worth: "Der Server prüft Ihre Adresse. Halten Sie den Link trotzdem geheim.",
    thenApproval: "Danach muss noch jemand zustimmen, bevor Sie den Inhalt öffnen können.",
    noMail: "Dieser Server sendet keine Mails. Melden Sie sich dort an, und öffnen Sie den Link dann noch einmal.",
    signIn: "Anmelden",
  },
});
