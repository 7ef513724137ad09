import type { texts as english } from "../en/submitting.ts";
import type { Translation } from "../translations.ts";

/** What the screens say on which text and files are put together, and those of a request, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  content: {
    label: "Geheimnis",
    placeholder: "Ein Passwort, ein Schlüssel, eine Notiz …",
    add: "Dateien hinzufügen",
    addFolder: "Ordner hinzufügen",
    addPhoto: "Foto hinzufügen",
    drop: "oder Dateien irgendwo ablegen",
    dropNow: "Zum Hinzufügen ablegen",
    room: (limit) => `Bis zu ${limit}`,
    used: (used, limit) => `${used} von ${limit}`,
    remove: (name) => `${name} entfernen`,
    removeAll: "Alle entfernen",
    moreFiles: (count) => plural(count, { one: "1 weitere Datei", other: "{n} weitere Dateien" }),
    lines: (count) => plural(count, { one: "1 Zeile", other: "{n} Zeilen" }),
    longText: "Zu lang, um ihn hier zu bearbeiten.",
    empty: "Geben Sie etwas ein, oder fügen Sie eine Datei hinzu.",
    sameName: (name) =>
      `Es gibt schon eine Datei namens ${name}. Entfernen Sie sie zuerst, oder benennen Sie die andere um.`,
    tooMany: "Das sind mehr als 10.000 Dateien, die niemand entpacken könnte. Packen Sie sie vorher in ein Archiv.",
    tooLarge: (size, limit) => `Das ist zu groß: ${size}. Die Grenze ist ${limit}.`,
    fileTooLarge: (name, size, limit) => `${name} ist zu groß: ${size}. Die Grenze ist ${limit}.`,
    badName: (name) => `Unter dem Namen „${name}“ kann keine Datei gesendet werden. Benennen Sie sie vorher um.`,
    unreadable: (name) => `${name} lässt sich nicht lesen. Ist die Datei noch da?`,
    moreRefused: (count) =>
      plural(count, {
        one: "1 weitere Datei wurde nicht hinzugefügt.",
        other: "{n} weitere Dateien wurden nicht hinzugefügt.",
      }),
    shortcut: (keys) => `oder ${keys} drücken`,
  },
  delivery: {
    encrypting: "Wird verschlüsselt …",
    encryptingText: "Das Geheimnis ist noch nicht gesendet.",
    sending: "Wird gesendet …",
    sendingText: "Es ist schon verschlüsselt. Lassen Sie diese Seite offen, bis es fertig ist.",
    progress: "Gesendet",
    left: (time) => `Noch etwa ${time}`,
    waiting: "Auf die Antwort des Servers wird gewartet …",
    canceling: "Wird abgebrochen …",
    cancelingText: "Ist es schon angekommen, wird es widerrufen.",
    canceledBefore: "Abgebrochen. Es wurde nichts gesendet.",
  },
  submit: {
    title: "Sie werden um ein Geheimnis gebeten",
    titleBy: (name) => `${name} bittet um ein Geheimnis`,
    caution: "Machen Sie nur weiter, wenn Sie wissen, von wem der Link ist.",
    cautionHelp: "Nicht sicher? Rufen Sie unter einer Nummer an, die Sie schon haben.",
    label: "Was Sie abgeben",
    placeholder: "Hier eintippen oder einfügen",
    terms: (when) =>
      `Nur die Person, die darum bittet, kann es lesen. Sie brauchen kein Konto. Der Link läuft ab: ${when}.`,
    left: (count) =>
      plural(count, {
        one: "1 Geheimnis kann abgegeben werden.",
        other: "{n} Geheimnisse können abgegeben werden, eines nach dem anderen.",
      }),
    button: "Abgeben",
    canceled:
      "Abgebrochen. Vielleicht ist es schon angekommen. Um sicher zu sein, geben Sie es unverändert noch einmal ab: Dann zählt es einmal.",
    swapped: {
      title: "Halt: Senden Sie nichts",
      text: "Der Link ist beschädigt, oder der Server will mitlesen, was Sie senden. Es wurde nichts gesendet. Kopieren Sie den ganzen Link noch einmal. Wenn das nicht hilft, sagen Sie es der Person, von der er ist.",
    },
    noteBroken:
      "Die Notiz dieser Anforderung lässt sich nicht lesen. Der Link ist beschädigt, oder der Server hat sie verändert. Es wurde nichts gesendet.",
    paused: {
      title: "Diese Anforderung ist pausiert",
      text: "Jetzt kann nichts abgegeben werden. Versuchen Sie es später, oder fragen Sie die Person, von der der Link ist.",
    },
    fulfilled: {
      title: "Das wurde schon abgegeben",
      text: "Alles Angeforderte wurde abgegeben, von Ihnen oder jemand anderem. Mehr wird nicht angenommen.",
    },
    expired: {
      title: "Diese Anforderung ist abgelaufen",
      text: "Sie nimmt keine Geheimnisse mehr an. Bitten Sie um einen neuen Link.",
    },
    revoked: {
      title: "Diese Anforderung wurde widerrufen",
      text: "Sie nimmt keine Geheimnisse mehr an.",
    },
    notSent: "Ihr Geheimnis wurde nicht gesendet.",
    kept: "Ihre Eingaben sind noch hier.",
    earlierArrived:
      "Was Sie zuerst gesendet haben, war angekommen, und die Person, die darum bat, kann es öffnen. Was Sie seitdem geändert haben, wurde nicht gesendet: Sagen Sie es ihr.",
    done: {
      title: "Abgegeben",
      text: "Es ist verschlüsselt, und nur die Person, die darum bat, kann es öffnen. Sie können diese Seite schließen.",
      hadEarlier:
        "Was Sie vorher ohne Antwort gesendet haben, ist vielleicht auch angekommen. Sagen Sie der Person, die darum bat, was gilt.",
      more: "Noch etwas abgeben",
      reference: "Referenz",
      referenceText: "Sie hilft, wenn die Person es nicht findet. Öffnen lässt sich damit nichts.",
    },
  },
});
