import type { texts as english } from "../en/page.ts";
import type { Translation } from "../translations.ts";

/** What every screen may say, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  language: "de",
  direction: "ltr",
  name: "handoff",
  loading: "Einen Moment …",
  slow: "Der Server hat noch nicht geantwortet.",
  frame: {
    promise: "In Ihrem Browser verschlüsselt. Dieser Server kann nichts davon lesen.",
    about: "So funktioniert’s",
    commandLine: "Kommandozeile",
    api: "API",
    contact: "Hilfe",
    imprint: "Impressum",
    privacy: "Datenschutz",
    runOn: (host) => `Sie befinden sich auf ${host}. Der Server kann nicht lesen, was Sie teilen.`,
    runBy: (name, host) => `Betrieben von ${name} auf ${host}. Der Server kann nicht lesen, was Sie teilen.`,
    language: "Sprache",
  },
  cancel: "Abbrechen",
  leaving: {
    typed: {
      title: "Eingaben verwerfen?",
      text: "Sie wurden noch nicht gesendet, und diese Seite speichert sie nicht.",
      confirm: "Verwerfen",
    },
    link: {
      title: "Verlassen, ohne den Link zu kopieren?",
      text: "Er wird nicht noch einmal angezeigt.",
      confirm: "Verlassen",
    },
    secret: {
      title: "Schließen, ohne zu speichern?",
      text: "Sie haben noch nicht alles kopiert oder gespeichert.",
      confirm: "Schließen",
    },
  },
  copy: "Kopieren",
  copied: "Kopiert",
  notCopied: "Der Browser lässt diese Seite nicht kopieren. Der Text ist markiert: Bitte kopieren Sie ihn selbst.",
  insecure: {
    title: "Diese Seite braucht HTTPS",
    text: "Die Adresse beginnt mit http. Unterwegs könnte jemand diese Seite verändern und den Inhalt mitlesen. Öffnen Sie sie mit https. Klappt das nicht, sagen Sie der Person Bescheid, von der Sie den Link haben.",
  },
  broken: {
    title: "Dieser Link ist unvollständig",
    text: "Kopieren Sie den ganzen Link aus der Nachricht.",
  },
  tooLong: {
    title: "Dieser Link enthält zu viele Zeichen",
    text: "Kopieren Sie ihn noch einmal ohne die Zeichen, die nicht dazugehören.",
  },
  noKey: {
    title: "In diesem Link fehlt der Schlüssel",
    text: "Manche Apps schneiden den Teil nach # ab. Fügen Sie hier den ganzen Link ein.",
  },
  encodedKey: {
    title: "Dieser Link wurde unterwegs verändert",
    text: "Eine App hat aus # ein %23 gemacht, dadurch ging der Schlüssel an den Server. Bitten Sie den Absender sicherheitshalber um einen neuen Link. Sie können den ganzen Link trotzdem hier einfügen.",
  },
  newerLink: {
    title: "Dieser Link braucht eine neuere Version",
    text: "Der Server dieser Seite ist älter als der Link. Sagen Sie der Person Bescheid, die ihn betreibt.",
  },
  forgotten: {
    title: "Dieser Tab hat den Schlüssel nicht mehr",
    text: "Öffnen Sie den Link noch einmal aus der Nachricht.",
  },
  wrongLink: {
    title: "Dieser Link funktioniert nicht",
    text: "Vielleicht enthält er einen Tippfehler, oder es gibt ihn längst nicht mehr. Kopieren Sie den ganzen Link noch einmal oder bitten Sie den Absender um einen neuen.",
  },
  paste: {
    label: "Ganzen Link hier einfügen",
    button: "Öffnen",
    empty: "Fügen Sie zuerst den Link ein.",
    noLink: "Das ist kein Link von handoff. Kopieren Sie ihn noch einmal aus der Nachricht.",
    noKey: "Der Teil ab # fehlt. Das ist der Schlüssel.",
    kinds: {
      secret: "Dieser Link öffnet Vertrauliches.",
      request: "Dieser Link ist zum Abgeben.",
      backup: "Dieser Sicherungslink öffnet, was abgegeben wurde.",
    },
    elsewhere: (host) =>
      `Dieser Link führt zu einem anderen Server, ${host}. Öffnen Sie ihn nur, wenn Sie diesen Server kennen.`,
    openOn: (host) => `Weiter zu ${host}`,
  },
  tooMany: {
    title: "Zu viele Versuche",
    text: "Dieser Link funktioniert nicht, und aus Ihrem Netzwerk gab es schon zu viele Fehlversuche. Prüfen Sie ihn und versuchen Sie es in einer Minute noch einmal.",
  },
  failed: {
    title: "Das hat nicht geklappt",
    bare: "Das hat nicht geklappt.",
    back: "Das hat nicht geklappt, aber der Server antwortet wieder. Versuchen Sie es noch einmal.",
    network: {
      title: "Der Server ist nicht erreichbar",
      bare: "Der Server ist nicht erreichbar.",
      lede: "Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
      text: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
    },
    busy: {
      title: "Der Server ist gerade nicht verfügbar",
      bare: "Der Server ist gerade nicht verfügbar.",
      lede: "Versuchen Sie es in einer Minute noch einmal.",
      text: "Der Server ist gerade nicht verfügbar. Versuchen Sie es in einer Minute noch einmal.",
    },
    answered: {
      title: "Die Antwort kam nicht vom Server",
      text: "Etwas zwischen Ihnen und dem Server hat an seiner Stelle geantwortet. Verlangt Ihr Netzwerk erst eine Anmeldung, wie im Hotel? Prüfen Sie das und versuchen Sie es noch einmal.",
    },
    limited: "Zu viele Aufrufe in kurzer Zeit. Versuchen Sie es in einer Minute noch einmal.",
    other: "Etwas ist schiefgegangen. Versuchen Sie es noch einmal.",
    refused:
      "Der Server hat das nicht angenommen. Ein weiterer Versuch hilft nicht: Sagen Sie der Person Bescheid, die ihn betreibt.",
    stale:
      "Ein Teil dieser Seite konnte nicht geladen werden. Prüfen Sie Ihre Verbindung oder laden Sie die Seite neu.",
    quota:
      "Für dieses Team ist auf dem Server nicht mehr genug Platz. Senden Sie etwas Kleineres, oder bitten Sie um mehr Platz.",
    again: "Erneut versuchen",
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
    text: "Sie sind abgemeldet. Melden Sie sich in einem anderen Tab wieder an und versuchen Sie es hier noch einmal.",
  },
  otherPerson: (name) => `Jetzt ist ${name} angemeldet. Laden Sie die Seite neu, um weiterzumachen.`,
  justNow: "gerade eben",
  onDay: (day) => `am ${day}`,
  atTime: (day, time) => `${day} um ${time} Uhr`,
  timeLeft: (duration) => `Noch ${duration}`,
  text: "Text",
  theText: "Der Text",
  size: {
    about: (size) => `Etwa ${size}`,
    lessThan: (size) => `Weniger als ${size}`,
  },
  person: {
    according: "laut diesem Server",
  },
  passphrase: {
    label: "Passphrase",
    show: "Passphrase anzeigen",
    hide: "Passphrase verbergen",
  },
  titles: {
    send: "Vertrauliches senden",
    ask: "Vertrauliches anfordern",
  },
});
