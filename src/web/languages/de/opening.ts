import type { texts as english } from "../en/opening.ts";
import type { Translation } from "../translations.ts";

/** What the screens of a secret that is opened say, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  open: {
    title: "Jemand hat Ihnen ein Geheimnis geschickt",
    titleBySender: "Sie haben ein Geheimnis bekommen",
    files: (count) => plural(count, { one: "1 Datei", other: "{n} Dateien" }),
    both: (count) => plural(count, { one: "Text und 1 Datei", other: "Text und {n} Dateien" }),
    times: (left) => plural(left, { one: "Es lässt sich einmal öffnen.", other: "Es lässt sich {n}-mal öffnen." }),
    moreTimes: (left) =>
      plural(left, { one: "Es lässt sich noch einmal öffnen.", other: "Es lässt sich noch {n}-mal öffnen." }),
    lastTime:
      "Danach funktioniert der Link für niemanden mehr. Halten Sie einen sicheren Ort bereit, etwa einen Passwortmanager.",
    oneOfSeveral: "Jedes Öffnen zählt.",
    until: (when) => `Es läuft ab: ${when}.`,
    getPassphrase: "Lassen Sie sich zuerst die Passphrase geben.",
    tryAgain: "Das Öffnen holt das Geheimnis in diesen Tab. Dort können Sie es so oft versuchen, wie Sie brauchen.",
    taken: "Sie haben diesen Link geöffnet. Geben Sie die Passphrase ein, und lassen Sie diesen Tab offen.",
    takenHere:
      "Sie haben diesen Link geöffnet. Dieser Browser kann das Geheimnis nicht behalten: Schließen Sie den Tab nicht und laden Sie ihn nicht neu, bis Sie es gelesen haben.",
    notYet: "Sie haben das Geheimnis noch nicht geöffnet.",
    maybe:
      "Vielleicht hat der Server das Geheimnis schon herausgegeben. Versuchen Sie es gleich noch einmal in diesem Tab.",
    maybeTrying:
      "Vielleicht hat der Server das Geheimnis schon herausgegeben. Dieser Tab versucht es noch einmal: Lassen Sie ihn offen.",
    refusedTrying: "Der Server hat geantwortet, dass nichts herausgegeben wurde. Dieser Tab versucht es noch einmal.",
    emptyPassphrase: "Geben Sie zuerst die Passphrase ein.",
    spaces: "Sie beginnt oder endet mit einem Leerzeichen. Passt sie so nicht, wird sie ohne das Leerzeichen versucht.",
    wrongPassphrase: "Diese Passphrase passt nicht. Prüfen Sie sie, und versuchen Sie es noch einmal.",
    passphraseMissing:
      "Es braucht auch eine Passphrase. Fragen Sie den Absender danach, oder vergleichen Sie den Link mit dem Original.",
    beWary: "Sie erwarten nichts? Fragen Sie erst die Person, von der Sie den Link haben.",
    beWaryOf: (name) => `Sie erwarten nichts von ${name}? Fragen Sie nach, bevor Sie es öffnen.`,
    button: "Geheimnis öffnen",
    opening: (percent) => (percent < 100 ? `Wird geöffnet … ${percent} %` : "Wird geöffnet …"),
  },
  opened: {
    text: "Geheimnis",
    file: "Datei",
    from: (name) => `Von ${name}`,
    theTextIsHidden: "Der Text ist verborgen",
    hidden: "verborgen",
    lines: (count) => plural(count, { one: "Text, 1 Zeile", other: "Text, {n} Zeilen" }),
    hide: "Verbergen",
    show: "Anzeigen",
    showAgain: "Wieder anzeigen",
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
      "Die ZIP-Datei lässt sich nicht erstellen. Prüfen Sie Ihre Verbindung, oder laden Sie die Dateien einzeln herunter.",
    preview: (name) => `Vorschau von ${name}`,
    noPreview: "Dieser Browser kann das nicht anzeigen. Laden Sie es herunter.",
    more: (count) =>
      plural(count, {
        one: "1 weitere Datei ist in der ZIP-Datei.",
        other: "{n} weitere Dateien sind in der ZIP-Datei.",
      }),
    keep: "Sichern Sie jetzt, was Sie brauchen. Es lässt sich nicht noch einmal anzeigen.",
    keepNow: "Sichern Sie jetzt, was Sie brauchen.",
    keepInTab: (left) =>
      `Sichern Sie jetzt, was Sie brauchen. In diesem Tab lässt es sich noch ${left} lang wieder anzeigen.`,
    keepInBrowser: (left) =>
      `Sichern Sie jetzt, was Sie brauchen. In diesem Browser lässt es sich noch ${left} lang wieder anzeigen.`,
    left: (left) =>
      plural(left, {
        one: "Der Link lässt sich noch einmal öffnen.",
        other: "Der Link lässt sich noch {n}-mal öffnen.",
      }),
    noFiles: "Es sind keine Dateien darin, nur Ordner.",
    longText: "Das ist nur der Anfang. Kopieren und Herunterladen nehmen den ganzen Text.",
    textFile: "secret.txt",
    cannotOpen: "Dieses Geheimnis lässt sich nicht öffnen",
    undecryptable:
      "Das lässt sich nicht entschlüsseln: Link oder Passphrase gehören nicht dazu, oder es wurde verändert. Bitten Sie darum, es noch einmal zu senden.",
    unsafe:
      "Das Archiv in diesem Geheimnis lässt sich nicht entpacken: Es ist unsicher oder ungewöhnlich, oder es hat zu viele Dateien. Bitten Sie darum, es noch einmal zu senden.",
    damaged:
      "Dieses Archiv ist beschädigt, deshalb lassen sich seine Dateien nicht anzeigen. Sie können es herunterladen, wie es ist, und darum bitten, es noch einmal zu senden.",
    refused: {
      version:
        "Dieses Geheimnis hat ein Format, das diese Seite nicht kennt. Sagen Sie es der Person, die den Server betreibt.",
      settings:
        "Dieses Geheimnis wurde mit Einstellungen verschlüsselt, die diese Seite ablehnt, weil das Öffnen sehr lange dauern könnte. Bitten Sie darum, dass es noch einmal mit handoff gesendet wird.",
      otherwise:
        "Dieses Geheimnis wurde für einen anderen Schlüssel verschlüsselt, deshalb kann diese Seite es nicht öffnen. Bitten Sie darum, dass es noch einmal gesendet wird.",
    },
    erase: "Fertig, jetzt löschen",
    erasing: "Wird gelöscht …",
    eraseFirst: (rest) => ({
      title: "Löschen, ohne das Geheimnis zu sichern?",
      text: `Sie haben nicht alles kopiert oder gespeichert. ${rest}`,
      confirm: "Löschen",
    }),
    notAgain: "Es lässt sich nicht noch einmal anzeigen.",
    maybeNotAgain: "Vielleicht können Sie es nicht noch einmal öffnen.",
    notErased:
      "Der Server hat vom Löschen nichts erfahren. Versuchen Sie es noch einmal, oder lassen Sie die Zeit ablaufen.",
    erased: {
      title: "Gelöscht",
      text: "Das Geheimnis ist vom Server und von dieser Seite verschwunden. Sie können die Seite schließen.",
    },
    erasedHere: (rest) => ({
      title: "Hier gelöscht",
      text: `Das Geheimnis ist von dieser Seite verschwunden. ${rest}`,
    }),
    canClose: "Sie können die Seite schließen.",
  },
  ended: {
    titles: {
      opened: "Dieses Geheimnis wurde geöffnet",
      openedByYou: "Sie haben dieses Geheimnis geöffnet",
      expired: "Dieses Geheimnis ist abgelaufen",
    },
    claimed: (when) => ({
      text: `Geöffnet: ${when}.`,
      warning: "Wenn Sie das nicht waren, sagen Sie es dem Absender: Vielleicht hat es jemand anderes.",
    }),
    claimedTimes: (times, when) => ({
      text: plural(times, {
        one: `Geöffnet: ${when}.`,
        other: `{n}-mal geöffnet, zuletzt ${when}.`,
      }),
      warning: "Wenn Sie davon nichts wissen, sagen Sie es dem Absender: Vielleicht hat es jemand anderes.",
    }),
    claimLost: (when, asked) => ({
      text: `Geöffnet: ${when}. Dieser Tab hat es angefordert (${asked}), und die Antwort kam nie an. Bitten Sie den Absender, es noch einmal zu senden.`,
      warning: "Wenn die Zeiten nicht übereinstimmen, hat es vielleicht jemand anderes.",
    }),
    openedElsewhere: (time) => `Sie haben es hier um ${time} in einem anderen Tab geöffnet.`,
    askedElsewhere: {
      title: "Sie öffnen dieses Geheimnis gerade",
      text: "Ein anderer Tab hat es angefordert, und dort ist noch keine Antwort angekommen.",
    },
    again: (left) => `Sie können es noch ${left} lang wieder anzeigen.`,
    openedHere: (when) => `Geöffnet: ${when}. Fragen Sie den Absender, wenn Sie es noch einmal brauchen.`,
    openedOneOfSeveral: (when, left) =>
      plural(left, {
        one: `Geöffnet: ${when}. Als es zuletzt hier war, ließ sich der Link noch einmal öffnen. Öffnen Sie ihn wieder aus der Nachricht.`,
        other: `Geöffnet: ${when}. Als es zuletzt hier war, ließ sich der Link noch {n}-mal öffnen. Öffnen Sie ihn wieder aus der Nachricht.`,
      }),
    expired: (when) => `Abgelaufen: ${when}. Bitten Sie den Absender um einen neuen Link.`,
    neverOpened: (when) => `Abgelaufen: ${when}. Es wurde nie geöffnet. Bitten Sie den Absender um einen neuen Link.`,
    revoked: (when) => ({
      title: "Dieses Geheimnis wurde widerrufen",
      text: `Widerrufen: ${when}. Fragen Sie den Absender, wenn Sie es brauchen.`,
    }),
  },
});
