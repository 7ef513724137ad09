import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Inhalt",
    placeholder: "Ein Passwort, ein Schlüssel, eine Notiz …",
    add: "Dateien hinzufügen",
    addFolder: "Ordner hinzufügen",
    addPhoto: "Foto hinzufügen",
    drop: "oder Dateien hierher ziehen",
    dropNow: "Zum Hinzufügen loslassen",
    room: (limit) => `Bis zu ${limit}`,
    used: (used, limit) => `${used} von ${limit}`,
    remove: (name) => `${name} entfernen`,
    removeAll: "Alle entfernen",
    moreFiles: (count) => plural(count, { one: "1 weitere Datei", other: "{n} weitere Dateien" }),
    lines: (count) => plural(count, { one: "1 Zeile", other: "{n} Zeilen" }),
    longText: "Zu lang, um ihn hier zu bearbeiten.",
    empty: "Geben Sie etwas ein oder fügen Sie eine Datei hinzu.",
    sameName: (name) =>
      `Eine Datei namens ${name} ist schon dabei. Entfernen Sie sie zuerst oder benennen Sie die andere um.`,
    tooMany:
      "Das sind mehr als 10.000 Dateien. So viele könnte niemand entpacken: Packen Sie sie vorher in ein Archiv.",
    tooLarge: (size, limit) => `Das ist mit ${size} zu groß. Möglich sind höchstens ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} ist mit ${size} zu groß. Möglich sind höchstens ${limit}.`,
    badName: (name) => `Unter dem Namen „${name}“ kann keine Datei gesendet werden. Benennen Sie sie vorher um.`,
    unreadable: (name) => `${name} kann nicht gelesen werden. Gibt es die Datei noch?`,
    moreRefused: (count) =>
      plural(count, {
        one: "1 weitere Datei wurde nicht hinzugefügt.",
        other: "{n} weitere Dateien wurden nicht hinzugefügt.",
      }),
    shortcut: (keys) => `oder ${keys} drücken`,
  },
  delivery: {
    encrypting: "Wird verschlüsselt …",
    encryptingText: "Es wurde noch nichts gesendet.",
    sending: "Wird gesendet …",
    sendingText: "Der Inhalt ist schon verschlüsselt. Lassen Sie diese Seite offen, bis alles gesendet ist.",
    progress: "Gesendet",
    left: (time) => `Noch etwa ${time}`,
    waiting: "Warten auf die Antwort des Servers …",
    canceling: "Wird abgebrochen …",
    cancelingText: "Ist der Inhalt schon angekommen, wird er widerrufen.",
    canceledBefore: "Sie haben abgebrochen. Es wurde nichts gesendet.",
  },
  submit: {
    title: "Sie werden um etwas Vertrauliches gebeten",
    titleBy: (name) => `${name} bittet um etwas Vertrauliches`,
    caution: "Machen Sie nur weiter, wenn Sie wissen, von wem der Link kommt.",
    label: "Was möchten Sie abgeben?",
    placeholder: "Hier eintippen oder einfügen",
    terms: "Nur die Person, die darum bittet, kann es lesen.",
    until: (when) => `Der Link läuft ${when} ab.`,
    left: (count) =>
      plural(count, {
        one: "Sie können einmal etwas abgeben.",
        other: "Hier kann {n}-mal etwas abgegeben werden, eins nach dem anderen.",
      }),
    button: "Abgeben",
    showField: (name) => `${name} anzeigen`,
    hideField: (name) => `${name} verbergen`,
    wrongValues: {
      missing: "Füllen Sie dieses Feld aus.",
      too_long: "Das ist zu lang.",
      several_lines: "Das ist mehr als eine Zeile.",
      control_character: "Darin ist ein Zeichen, das nicht gesendet werden kann.",
    },
    joined: "Sie haben mehrere Zeilen eingefügt, und daraus wurde eine. Prüfen Sie das Ergebnis.",
    canceled:
      "Sie haben abgebrochen. Vielleicht ist es schon angekommen. Um sicherzugehen, geben Sie es unverändert noch einmal ab: Es zählt dann nur einmal.",
    swapped: {
      title: "Stopp: Senden Sie nichts",
      text: "Der Link ist beschädigt, oder der Server versucht mitzulesen, was Sie senden. Es wurde nichts gesendet. Kopieren Sie den ganzen Link noch einmal. Hilft das nicht, sagen Sie der Person Bescheid, von der Sie ihn haben.",
    },
    noteBroken:
      "Die Notiz zu dieser Anfrage kann nicht gelesen werden. Der Link ist beschädigt, oder der Server hat sie verändert. Es wurde nichts gesendet.",
    paused: {
      title: "Diese Anfrage ist pausiert",
      text: "Zurzeit kann nichts abgegeben werden. Versuchen Sie es später noch einmal oder fragen Sie die Person, von der Sie den Link haben.",
    },
    fulfilled: {
      title: "Das wurde schon abgegeben",
      text: "Alles Gewünschte wurde abgegeben, von Ihnen oder jemand anderem. Mehr wird nicht angenommen.",
    },
    expired: {
      title: "Diese Anfrage ist abgelaufen",
      text: "Hier kann nichts mehr abgegeben werden. Bitten Sie um einen neuen Link.",
    },
    revoked: {
      title: "Diese Anfrage wurde widerrufen",
      text: "Hier kann nichts mehr abgegeben werden.",
    },
    notSent: "Ihre Eingaben wurden nicht gesendet.",
    kept: "Was Sie eingegeben haben, ist noch hier.",
    earlierArrived:
      "Was Sie zuerst gesendet haben, ist angekommen, und die Person, die darum bittet, kann es öffnen. Ihre späteren Änderungen wurden nicht gesendet: Sagen Sie ihr Bescheid.",
    done: {
      title: "Abgegeben",
      text: "Nur die Person, die darum gebeten hat, kann es öffnen. Sie können diese Seite schließen.",
      hadEarlier:
        "Vielleicht ist auch angekommen, was Sie vorher ohne Antwort gesendet haben. Sagen Sie der Person, die darum gebeten hat, was gilt.",
      more: "Noch etwas abgeben",
      reference: "Referenz",
      referenceText:
        "Damit kann die Person, die darum gebeten hat, Ihre Abgabe finden. Öffnen kann man sie damit nicht.",
    },
  },
});
