import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";

/** What every screen may say, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "de",
  direction: "ltr",
  name: "handoff",
  loading: "Einen Moment …",
  slow: "Der Server hat noch nicht geantwortet.",
  noScript: "Schalten Sie JavaScript ein, um in Ihrem Browser zu entschlüsseln.",
  frame: {
    tabs: "Hauptmenü",
    send: "Senden",
    ask: "Anfordern",
    activity: "Verlauf",
    toCollect: "abzuholen",
    accountOf: (name) => `Konto von ${name}`,
    signOut: "Abmelden",
    promise: "Ende-zu-Ende-verschlüsselt. Dieser Server kann nicht lesen, was Sie teilen.",
    about: "So funktioniert’s",
    commandLine: "Kommandozeile",
    api: "API",
    contact: "Hilfe",
    imprint: "Impressum",
    privacy: "Datenschutz",
    runOn: (host) => `Sie sind auf ${host}. Der Server kann nicht lesen, was Sie teilen.`,
    runBy: (name, host) => `Betrieben von ${name} auf ${host}. Der Server kann nicht lesen, was Sie teilen.`,
    language: "Sprache",
  },
  cancel: "Abbrechen",
  leaving: {
    typed: {
      title: "Eingaben verwerfen?",
      text: "Sie sind nicht gesendet, und diese Seite behält sie nicht.",
      confirm: "Verwerfen",
    },
    link: {
      title: "Verlassen, ohne den Link zu kopieren?",
      text: "Der Link wird nicht noch einmal angezeigt.",
      confirm: "Verlassen",
    },
    secret: {
      title: "Schließen, ohne das Geheimnis zu sichern?",
      text: "Sie haben nicht alles kopiert oder gespeichert.",
      confirm: "Schließen",
    },
  },
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Dieser Browser lässt die Seite nicht kopieren. Der Text ist markiert: Kopieren Sie ihn selbst.",
  insecure: {
    title: "Diese Seite braucht HTTPS",
    text: "Die Adresse beginnt mit http. Damit könnte jeder auf dem Weg diese Seite ändern und das Geheimnis mitlesen. Öffnen Sie sie mit https. Wenn das nicht geht, sagen Sie es der Person, von der Sie den Link haben.",
  },
  broken: {
    title: "Dieser Link ist unvollständig",
    text: "Kopieren Sie den ganzen Link aus der Nachricht.",
  },
  tooLong: {
    title: "Dieser Link hat zusätzliche Zeichen",
    text: "Kopieren Sie ihn noch einmal ohne sie.",
  },
  noKey: {
    title: "In diesem Link fehlt der Schlüssel",
    text: "Manche Apps schneiden den Teil nach # ab. Fügen Sie hier den ganzen Link ein.",
  },
  encodedKey: {
    title: "Dieser Link wurde unterwegs verändert",
    text: "Eine App hat # in %23 verwandelt, und so ging der Schlüssel an den Server. Bitten Sie sicherheitshalber um einen neuen Link. Sie können den ganzen Link trotzdem hier einfügen.",
  },
  newerLink: {
    title: "Dieser Link ist für eine neuere Version",
    text: "Der Server, von dem diese Seite kommt, ist älter als der Link. Sagen Sie es der Person, die ihn betreibt.",
  },
  forgotten: {
    title: "Dieser Tab hat den Schlüssel nicht mehr",
    text: "Öffnen Sie den Link noch einmal aus der Nachricht.",
  },
  wrongLink: {
    title: "Dieser Link funktioniert nicht",
    text: "Vielleicht ist er vertippt oder schon lange beendet. Kopieren Sie den ganzen Link noch einmal, oder bitten Sie um einen neuen.",
  },
  paste: {
    label: "Ganzen Link hier einfügen",
    button: "Öffnen",
    empty: "Fügen Sie zuerst den Link ein.",
    noLink: "Das ist kein Link von handoff. Kopieren Sie ihn noch einmal aus der Nachricht.",
    noKey: "Der Teil ab # fehlt. Er ist der Schlüssel.",
    elsewhere: (host) =>
      `Dieser Link führt zu einem anderen Server, ${host}. Gehen Sie nur dorthin, wenn Sie ihn kennen.`,
    openOn: (host) => `Weiter zu ${host}`,
  },
  tooMany: {
    title: "Zu viele Versuche",
    text: "Dieser Link funktioniert nicht, und aus Ihrem Netzwerk sind schon zu viele fehlgeschlagen. Prüfen Sie ihn, und versuchen Sie es in einer Minute noch einmal.",
  },
  failed: {
    title: "Das hat nicht geklappt",
    bare: "Das hat nicht geklappt.",
    back: "Das hat nicht geklappt, aber der Server antwortet wieder. Versuchen Sie es noch einmal.",
    network: {
      title: "Der Server ist nicht erreichbar",
      bare: "Der Server ist nicht erreichbar.",
      lede: "Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
      text: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal.",
    },
    busy: {
      title: "Der Server ist gerade nicht verfügbar",
      bare: "Der Server ist gerade nicht verfügbar.",
      lede: "Versuchen Sie es in einer Minute noch einmal.",
      text: "Der Server ist gerade nicht verfügbar. Versuchen Sie es in einer Minute noch einmal.",
    },
    answered: {
      title: "Der Server selbst hat nicht geantwortet",
      text: "Etwas zwischen hier und dem Server hat an seiner Stelle geantwortet. Verlangt Ihr Netz erst eine Anmeldung, wie im Hotel? Prüfen Sie das, und versuchen Sie es noch einmal.",
    },
    limited: "Zu viele Aufrufe. Versuchen Sie es in einer Minute noch einmal.",
    other: "Etwas ist schiefgegangen. Versuchen Sie es noch einmal.",
    refused:
      "Der Server hat das nicht angenommen. Ein neuer Versuch hilft nicht: Sagen Sie es der Person, die ihn betreibt.",
    stale: "Ein Teil dieser Seite lässt sich nicht laden. Prüfen Sie Ihre Verbindung, oder laden Sie die Seite neu.",
    quota:
      "Der Server hat keinen Platz mehr für dieses Team. Sagen Sie es der Person, die ihn betreibt oder Ihnen den Link gegeben hat.",
    unreadable: "Eine Datei lässt sich nicht lesen. Ist sie noch da, und ist sie eine Datei und kein Ordner?",
    again: "Noch einmal versuchen",
  },
  retrying: {
    limited: "Zu viele Versuche aus Ihrem Netzwerk.",
    again: (reason, seconds) =>
      plural(seconds, {
        one: `${reason} Neuer Versuch in 1 Sekunde …`,
        other: `${reason} Neuer Versuch in {n} Sekunden …`,
      }),
  },
  signedOut: {
    title: "Sie sind abgemeldet",
    text: "Sie sind abgemeldet. Melden Sie sich in einem anderen Tab an, und versuchen Sie es hier noch einmal.",
  },
  otherPerson: (name) => `Jetzt ist ${name} angemeldet. Laden Sie die Seite neu, um weiterzumachen.`,
  justNow: "gerade eben",
  today: (time) => `heute um ${time}`,
  text: "Text",
  theText: "Der Text",
  size: {
    about: (size) => `Etwa ${size}`,
    lessThan: (size) => `Weniger als ${size}`,
  },
  person: {
    knownAs: (address, team) => `Dem Server bekannt als ${address}, Team ${team}`,
    known: (team) => `Dem Server unter diesem Namen bekannt, Team ${team}`,
  },
  passphrase: {
    label: "Passphrase",
    show: "Passphrase anzeigen",
    hide: "Passphrase verbergen",
  },
  titles: {
    send: "Geheimnis senden",
    ask: "Geheimnis anfordern",
  },
});
