import type { texts as english } from "../en/mail.ts";
import type { Translation } from "../translations.ts";

/** What the start page says where people sign in with a code by mail, in German. */
export const texts: Translation<typeof english> = () => ({
  mail: {
    address: "Ihre Mailadresse",
    send: "Code per Mail senden",
    sending: "Wird gesendet …",
    noAccount: "Sie bekommen einen Code per Mail. Kein Konto? Fragen Sie Ihren Admin.",
    empty: "Geben Sie zuerst Ihre Adresse ein.",
    malformed: "Eine Adresse sieht so aus: ann@example.com.",
    sent: (address) => `Wenn ${address} hier bekannt ist, ist ein Code unterwegs.`,
    hint: "Er hat 8 Ziffern und gilt 10 Minuten lang in diesem Browser. Keine Mail? Sehen Sie im Spam-Ordner nach.",
    code: "Code aus der Mail",
    emptyCode: "Geben Sie zuerst den Code ein.",
    malformedCode: "Ein Code hat 8 Ziffern.",
    wrong:
      "Dieser Code funktioniert nicht. Nehmen Sie den aus der neuesten Mail. Nach 5 falschen brauchen Sie einen neuen.",
    over: "Er ist abgelaufen oder wurde benutzt, oder es wurden 5 falsche Codes eingegeben. Senden Sie einen neuen Code.",
    another: "Neuen Code senden",
    resent: (address) => `Wenn ${address} hier bekannt ist, ist ein neuer Code unterwegs. Nur der neue funktioniert.`,
    otherAddress: "Andere Adresse",
    limited: "Es wurden zu viele Codes angefordert. Versuchen Sie es in einer Viertelstunde noch einmal.",
  },
});
