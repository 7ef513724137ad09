import type { texts as english } from "../en/large-sending.ts";
import type { Translation } from "../translations.ts";

/** What the screens say while a secret is sent in pieces, in German. */
export const texts: Translation<typeof english> = () => ({
  largeSending: {
    keepOpen:
      "Jedes Stück wird verschlüsselt, bevor es den Browser verlässt. Lassen Sie diesen Tab offen. Wenn die Verbindung abbricht oder das Gerät schläft, geht es danach weiter.",
    rate: (size) => `${size}/s`,
    line: {
      title: "Der Server ist nicht erreichbar",
      text: "Es geht an derselben Stelle weiter, sobald die Verbindung wieder da ist. Lassen Sie diesen Tab offen.",
    },
    server: {
      title: "Warten auf den Server",
      text: "Der Server ist gerade nicht verfügbar. Es geht an derselben Stelle weiter, sobald er es wieder ist. Lassen Sie diesen Tab offen.",
    },
    storage: {
      title: "Warten auf den Server",
      text: "Der Server kann gerade nichts speichern: Vielleicht ist seine Festplatte voll. Es geht an derselben Stelle weiter, sobald er es kann. Lassen Sie diesen Tab offen.",
    },
    tryNow: "Jetzt versuchen",
    stopped:
      "Sie haben abgebrochen, daher gibt es keinen Link. Der Server entfernt, was angekommen ist, spätestens nach einem Tag.",
    ended:
      "Der Server hat die Übertragung beendet, daher gibt es keinen Link. Ihre Auswahl ist noch da: Senden Sie sie noch einmal.",
    stoppedHandIn:
      "Sie haben abgebrochen, daher wurde nichts abgegeben. Der Server entfernt, was angekommen ist, spätestens nach einem Tag.",
    maybeHandedIn:
      "Sie haben abgebrochen, aber vielleicht wurde es schon abgegeben. Fragen Sie die Person, die Sie darum gebeten hat.",
    endedHandIn:
      "Der Server hat die Übertragung beendet, daher wurde nichts abgegeben. Ihre Auswahl ist noch da: Geben Sie sie noch einmal ab.",
  },
});
