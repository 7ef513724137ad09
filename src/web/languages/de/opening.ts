import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";

/** A countdown with its unit: "4:38 Minuten", "1:04:38 Stunden". */
const lasting = (left: string) => `${left} ${/:.*:/.test(left) ? "Stunden" : "Minuten"}`;

/** What the screens of a secret that is opened say, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Vertrauliches für Sie",
    titleBy: (name) => `Vertrauliches von ${name}`,
    titleHere: "Passphrase eingeben",
    files: (count) => plural(count, { one: "1 Datei", other: "{n} Dateien" }),
    both: (count) => plural(count, { one: "Text und 1 Datei", other: "Text und {n} Dateien" }),
    times: (left) => plural(left, { one: "Nur einmal zu öffnen", other: "{n}-mal zu öffnen" }),
    moreTimes: (left) => plural(left, { one: "Noch einmal zu öffnen", other: "Noch {n}-mal zu öffnen" }),
    until: (when) => `Läuft ${when} ab`,
    passphraseHint: "Sie bekommen sie vom Absender. Versuchen können Sie es beliebig oft.",
    taken:
      "Der Inhalt ist hier, aber noch mit der Passphrase verschlossen. Lassen Sie diesen Tab offen, bis Sie ihn gelesen haben.",
    takenHere:
      "Der Inhalt ist hier, aber noch mit der Passphrase verschlossen. Dieser Browser kann ihn nicht aufbewahren: Schließen Sie diesen Tab nicht und laden Sie ihn nicht neu, bis Sie alles gelesen haben.",
    notYet: "Sie haben den Inhalt noch nicht geöffnet.",
    maybe:
      "Vielleicht hat der Server den Inhalt schon herausgegeben. Versuchen Sie es gleich noch einmal in diesem Tab.",
    maybeTrying:
      "Vielleicht hat der Server den Inhalt schon herausgegeben. Dieser Tab versucht es noch einmal: Lassen Sie ihn offen.",
    refusedTrying: "Der Server hat geantwortet, dass nichts herausgegeben wurde. Dieser Tab versucht es noch einmal.",
    emptyPassphrase: "Geben Sie zuerst die Passphrase ein.",
    spaces:
      "Sie beginnt oder endet mit einem Leerzeichen. Stimmt sie so nicht, wird sie ohne dieses Leerzeichen geprüft.",
    wrongPassphrase: "Diese Passphrase stimmt nicht. Prüfen Sie sie und versuchen Sie es noch einmal.",
    passphraseMissing:
      "Sie brauchen auch eine Passphrase. Fragen Sie den Absender danach oder vergleichen Sie den Link mit dem Original.",
    beWary: "Kommt das unerwartet? Fragen Sie erst bei der Person nach, von der Sie den Link haben.",
    beWaryOf: (name) => `Kommt das unerwartet? Fragen Sie erst bei ${name} nach.`,
    button: "Jetzt öffnen",
    opening: (percent) => (percent < 100 ? `Wird geöffnet … ${percent} %` : "Wird geöffnet …"),
  },
  opened: {
    text: "Inhalt",
    file: "Datei",
    from: (name) => `Von ${name}`,
    theTextIsHidden: "Der Text ist verborgen",
    hidden: (characters) => plural(characters, { one: "Verborgen, 1 Zeichen", other: "Verborgen, {n} Zeichen" }),
    lines: (count) => plural(count, { one: "Text, 1 Zeile", other: "Text, {n} Zeilen" }),
    fields: (count) => plural(count, { one: "1 Feld", other: "{n} Felder" }),
    hide: "Verbergen",
    show: "Anzeigen",
    showAgain: "Erneut anzeigen",
    hideAll: "Alles verbergen",
    showAll: "Alles anzeigen",
    copyAll: "Alles kopieren",
    copyThis: (name) => `${name} kopieren`,
    copiedThis: (name) => `${name} kopiert`,
    showThis: (name) => `${name} anzeigen`,
    hideThis: (name) => `${name} verbergen`,
    download: (name) => `${name} herunterladen`,
    save: "Herunterladen",
    saveAll: "Alles als ZIP laden",
    saved: (size) => `${size} · heruntergeladen`,
    archive: "secret.zip",
    notZipped:
      "Die ZIP-Datei konnte nicht erstellt werden. Prüfen Sie Ihre Verbindung oder laden Sie die Dateien einzeln herunter.",
    preview: (name) => `Vorschau von ${name}`,
    noPreview: "Dieser Browser kann die Datei nicht anzeigen. Laden Sie sie herunter.",
    keep: "Speichern Sie es jetzt. Es kann nicht noch einmal angezeigt werden.",
    keepNow: "Speichern Sie es jetzt.",
    keepInTab: (left) =>
      `Speichern Sie es jetzt. Sie können es in diesem Tab noch ${lasting(left)} lang erneut anzeigen.`,
    keepInBrowser: (left) =>
      `Speichern Sie es jetzt. Sie können es in diesem Browser noch ${lasting(left)} lang erneut anzeigen.`,
    timeLeft: "Verbleibende Zeit",
    find: "Datei suchen",
    noneFound: "Keine Datei heißt so.",
    showMore: (count) => plural(count, { one: "1 weitere anzeigen", other: "{n} weitere anzeigen" }),
    left: (left) =>
      plural(left, {
        one: "Der Link kann noch einmal geöffnet werden.",
        other: "Der Link kann noch {n}-mal geöffnet werden.",
      }),
    noFiles: "Darin sind keine Dateien, nur Ordner.",
    longText: "Das ist nur der Anfang. „Kopieren“ und „Herunterladen“ gelten für den ganzen Text.",
    textFile: "secret.txt",
    cannotOpen: "Dieser Inhalt kann nicht geöffnet werden",
    undecryptable:
      "Er kann nicht entschlüsselt werden: Link oder Passphrase passen nicht dazu, oder er wurde verändert. Bitten Sie darum, ihn noch einmal zu senden.",
    unsafe:
      "Das Archiv darin kann nicht entpackt werden: Es ist unsicher oder ungewöhnlich oder enthält zu viele Dateien. Bitten Sie darum, es noch einmal zu senden.",
    damaged:
      "Dieses Archiv ist beschädigt, deshalb können seine Dateien nicht angezeigt werden. Sie können es herunterladen, wie es ist, und darum bitten, es noch einmal zu senden.",
    refused: {
      version:
        "Dieser Inhalt hat ein Format, das diese Seite nicht kennt. Sagen Sie der Person Bescheid, die den Server betreibt.",
      settings:
        "Dieser Inhalt wurde mit Einstellungen verschlüsselt, die diese Seite ablehnt, weil das Öffnen sehr lange dauern könnte. Bitten Sie darum, ihn noch einmal mit handoff zu senden.",
      otherwise:
        "Dieser Inhalt wurde für einen anderen Schlüssel verschlüsselt, deshalb kann ihn diese Seite nicht öffnen. Bitten Sie darum, ihn noch einmal zu senden.",
    },
    erase: "Fertig, löschen",
    erasing: "Wird gelöscht …",
    eraseFirst: (rest) => ({
      title: "Löschen, ohne zu speichern?",
      text: `Sie haben noch nicht alles kopiert oder gespeichert. ${rest}`,
      confirm: "Löschen",
    }),
    notAgain: "Es kann nicht noch einmal angezeigt werden.",
    maybeNotAgain: "Vielleicht können Sie es nicht noch einmal öffnen.",
    notErased:
      "Der Server hat das Löschen nicht bestätigt. Versuchen Sie es noch einmal oder lassen Sie die Zeit ablaufen.",
    erased: {
      title: "Gelöscht",
      text: "Der Inhalt wurde vom Server und von dieser Seite gelöscht. Sie können die Seite schließen.",
    },
    erasedHere: (rest) => ({
      title: "Hier gelöscht",
      text: `Der Inhalt wurde von dieser Seite gelöscht. ${rest}`,
    }),
    canClose: "Sie können die Seite schließen.",
  },
  ended: {
    titles: {
      opened: "Das wurde schon geöffnet",
      openedByYou: "Das haben Sie schon geöffnet",
      expired: "Dieser Link ist abgelaufen",
    },
    claimed: (when) => ({
      text: `Der Inhalt wurde ${when} geöffnet.`,
      warning: "Wenn Sie das nicht waren, sagen Sie dem Absender Bescheid: Vielleicht hat jemand anderes den Inhalt.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Der Inhalt wurde ${when} geöffnet.`,
        other: `Der Inhalt wurde {n}-mal geöffnet, zuletzt ${when}.`,
      }),
      warning:
        "Wenn Sie davon nichts wissen, sagen Sie dem Absender Bescheid: Vielleicht hat jemand anderes den Inhalt.",
    }),
    claimLost: (when, asked) => ({
      text: `Der Inhalt wurde ${when} geöffnet. Dieser Tab hatte ihn ${asked} angefordert, doch die Antwort kam nie an. Bitten Sie den Absender, ihn noch einmal zu senden.`,
      warning: "Wenn die Zeiten nicht übereinstimmen, hat vielleicht jemand anderes den Inhalt.",
    }),
    openedElsewhere: (time) => `Das war um ${time} Uhr, in einem anderen Tab dieses Browsers.`,
    askedElsewhere: {
      title: "Sie öffnen das gerade",
      text: "Ein anderer Tab hat den Inhalt angefordert, dort ist aber noch keine Antwort angekommen.",
    },
    again: (left) => `Sie können den Inhalt noch ${lasting(left)} lang erneut anzeigen.`,
    openedHere: (when) => `Das war ${when}. Fragen Sie den Absender, wenn Sie den Inhalt noch einmal brauchen.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Das war ${when}. Danach konnte der Link noch einmal geöffnet werden. Öffnen Sie ihn dafür wieder aus der Nachricht.`,
        other: `Das war ${when}. Danach konnte der Link noch {n}-mal geöffnet werden. Öffnen Sie ihn dafür wieder aus der Nachricht.`,
      }),
    expired: (when) => `Er ist ${when} abgelaufen. Bitten Sie den Absender um einen neuen.`,
    neverOpened: (when) =>
      `Er ist ${when} abgelaufen, ohne dass jemand den Inhalt geöffnet hat. Bitten Sie den Absender um einen neuen.`,
    revoked: (when) => ({
      title: "Dieser Link wurde widerrufen",
      text: `Er wurde ${when} widerrufen. Fragen Sie den Absender, wenn Sie den Inhalt brauchen.`,
    }),
  },
});
