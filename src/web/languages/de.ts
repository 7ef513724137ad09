import type { Grammar } from "./grammar.ts";
import type { Strings } from "./translations.ts";

/** Everything that the page says, in German. */
export const de = ({ plural, parts, number }: Grammar): Strings => ({
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
  revoking: "Wird widerrufen …",
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
  wrongCount: (most) => (most === 1 ? "Hier geht nur 1." : `Geben Sie eine ganze Zahl von 1 bis ${most} ein.`),
  otherPerson: (name) => `Jetzt ist ${name} angemeldet. Laden Sie die Seite neu, um weiterzumachen.`,
  open: {
    title: "Jemand hat Ihnen ein Geheimnis geschickt",
    titleBySender: "Sie haben ein Geheimnis bekommen",
    knownAs: (address, team) => `Dem Server bekannt als ${address}, Team ${team}`,
    known: (team) => `Dem Server unter diesem Namen bekannt, Team ${team}`,
    text: "Text",
    files: (count) => plural(count, { one: "1 Datei", other: "{n} Dateien" }),
    both: (count) => plural(count, { one: "Text und 1 Datei", other: "Text und {n} Dateien" }),
    about: (size) => `Etwa ${size}`,
    lessThan: (size) => `Weniger als ${size}`,
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
    passphrase: "Passphrase",
    showPassphrase: "Passphrase anzeigen",
    hidePassphrase: "Passphrase verbergen",
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
    theText: "Der Text",
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
    eraseFirst: {
      title: "Löschen, ohne das Geheimnis zu sichern?",
      text: "Sie haben nicht alles kopiert oder gespeichert. Es lässt sich nicht noch einmal anzeigen.",
      confirm: "Löschen",
    },
    eraseHereFirst: {
      title: "Löschen, ohne das Geheimnis zu sichern?",
      text: "Sie haben nicht alles kopiert oder gespeichert. Vielleicht können Sie es nicht noch einmal öffnen.",
      confirm: "Löschen",
    },
    eraseOneOfSeveralFirst: (left) => ({
      title: "Löschen, ohne das Geheimnis zu sichern?",
      text: plural(left, {
        one: "Sie haben nicht alles kopiert oder gespeichert. Der Link lässt sich noch einmal öffnen.",
        other: "Sie haben nicht alles kopiert oder gespeichert. Der Link lässt sich noch {n}-mal öffnen.",
      }),
      confirm: "Löschen",
    }),
    notErased:
      "Der Server hat vom Löschen nichts erfahren. Versuchen Sie es noch einmal, oder lassen Sie die Zeit ablaufen.",
    erased: {
      title: "Gelöscht",
      text: "Das Geheimnis ist vom Server und von dieser Seite verschwunden. Sie können die Seite schließen.",
    },
    erasedFromPage: {
      title: "Hier gelöscht",
      text: "Das Geheimnis ist von dieser Seite verschwunden. Sie können die Seite schließen.",
    },
    erasedHere: (left) => ({
      title: "Hier gelöscht",
      text: plural(left, {
        one: "Das Geheimnis ist von dieser Seite verschwunden. Der Link lässt sich noch einmal öffnen.",
        other: "Das Geheimnis ist von dieser Seite verschwunden. Der Link lässt sich noch {n}-mal öffnen.",
      }),
    }),
  },
  ended: {
    claimed: (when) => ({
      title: "Dieses Geheimnis wurde geöffnet",
      text: `Geöffnet: ${when}.`,
      warning: "Wenn Sie das nicht waren, sagen Sie es dem Absender: Vielleicht hat es jemand anderes.",
    }),
    claimedTimes: (times, when) => ({
      title: "Dieses Geheimnis wurde geöffnet",
      text: plural(times, {
        one: `Geöffnet: ${when}.`,
        other: `{n}-mal geöffnet, zuletzt ${when}.`,
      }),
      warning: "Wenn Sie davon nichts wissen, sagen Sie es dem Absender: Vielleicht hat es jemand anderes.",
    }),
    claimLost: (when, asked) => ({
      title: "Dieses Geheimnis wurde geöffnet",
      text: `Geöffnet: ${when}. Dieser Tab hat es angefordert (${asked}), und die Antwort kam nie an. Bitten Sie den Absender, es noch einmal zu senden.`,
      warning: "Wenn die Zeiten nicht übereinstimmen, hat es vielleicht jemand anderes.",
    }),
    openedElsewhere: (time) => ({
      title: "Sie haben dieses Geheimnis geöffnet",
      text: `Sie haben es hier um ${time} in einem anderen Tab geöffnet.`,
    }),
    askedElsewhere: {
      title: "Sie öffnen dieses Geheimnis gerade",
      text: "Ein anderer Tab hat es angefordert, und dort ist noch keine Antwort angekommen.",
    },
    again: (left) => `Sie können es noch ${left} lang wieder anzeigen.`,
    openedHere: (when) => ({
      title: "Sie haben dieses Geheimnis geöffnet",
      text: `Geöffnet: ${when}. Fragen Sie den Absender, wenn Sie es noch einmal brauchen.`,
    }),
    openedOneOfSeveral: (when, left) => ({
      title: "Sie haben dieses Geheimnis geöffnet",
      text: plural(left, {
        one: `Geöffnet: ${when}. Als es zuletzt hier war, ließ sich der Link noch einmal öffnen. Öffnen Sie ihn wieder aus der Nachricht.`,
        other: `Geöffnet: ${when}. Als es zuletzt hier war, ließ sich der Link noch {n}-mal öffnen. Öffnen Sie ihn wieder aus der Nachricht.`,
      }),
    }),
    expired: (when) => ({
      title: "Dieses Geheimnis ist abgelaufen",
      text: `Abgelaufen: ${when}. Bitten Sie den Absender um einen neuen Link.`,
    }),
    neverOpened: (when) => ({
      title: "Dieses Geheimnis ist abgelaufen",
      text: `Abgelaufen: ${when}. Es wurde nie geöffnet. Bitten Sie den Absender um einen neuen Link.`,
    }),
    revoked: (when) => ({
      title: "Dieses Geheimnis wurde widerrufen",
      text: `Widerrufen: ${when}. Fragen Sie den Absender, wenn Sie es brauchen.`,
    }),
  },
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
  contact: "Brauchen Sie Hilfe? Fragen Sie",
  signIn: {
    title: "Anmelden",
    lede: "Ihr Admin hat diesen Link für Sie erstellt.",
    already:
      "Sie sind in diesem Browser schon angemeldet. Der Link meldet stattdessen die Person an, für die er erstellt wurde.",
    once: "Dieser Link funktioniert einmal",
    lasts: "Danach bleibt dieser Browser eine begrenzte Zeit angemeldet.",
    own: "Nur auf einem eigenen Gerät",
    shared: "Melden Sie sich auf einem gemeinsam genutzten Computer ab, wenn Sie fertig sind.",
    asWhom: "Danach sehen Sie, als wer Sie angemeldet sind.",
    button: "Anmelden",
    busy: "Wird angemeldet …",
    stay: "Angemeldet bleiben",
    signedIn: "Sie sind angemeldet",
    goOn: "Weiter",
    signedInAs: (name, team) => `Sie sind angemeldet als ${name}, ${team}.`,
    until: (when) => `Sie werden ${when} abgemeldet.`,
    notYou: "Nicht Sie? Abmelden",
    faults: {
      missing: {
        title: "Anmelden",
        text: "Öffnen Sie den ganzen Anmeldelink von Ihrem Admin, mit dem Teil nach #.",
      },
      cut: {
        title: "Dieser Anmeldelink ist unvollständig",
        text: "Kopieren Sie den ganzen Link aus der Nachricht Ihres Admins.",
      },
      long: {
        title: "Dieser Anmeldelink hat zusätzliche Zeichen",
        text: "Kopieren Sie ihn noch einmal ohne sie.",
      },
      mistyped: {
        title: "Dieser Anmeldelink ist vertippt",
        text: "Kopieren Sie ihn noch einmal aus der Nachricht Ihres Admins.",
      },
    },
    needsHttps: {
      title: "Dieser Browser braucht HTTPS für die Anmeldung",
      text: "Die Adresse beginnt mit http. Safari und einige andere Browser bleiben nur über HTTPS angemeldet. Öffnen Sie den Link in Chrome oder Firefox, oder bitten Sie Ihren Admin um eine Adresse mit HTTPS. Der Link wurde hier nicht benutzt.",
    },
    noCookie: {
      title: "Dieser Browser behält Ihre Anmeldung nicht",
      text: "Er nimmt das Cookie dieser Seite nicht an. Erlauben Sie Cookies für diese Adresse, und öffnen Sie Ihren Anmeldelink noch einmal. Funktioniert er nicht mehr, bitten Sie Ihren Admin um einen neuen.",
    },
    refused: {
      title: "Dieser Anmeldelink funktioniert nicht",
      text: "Er ist abgelaufen oder wurde benutzt, ersetzt oder zurückgezogen. Bitten Sie Ihren Admin um einen neuen.",
    },
    keepTab: "Vielleicht wurde der Link benutzt, und dann funktioniert er nur in diesem Tab.",
  },
  signOut: {
    stillSignedIn: {
      title: "Sie sind noch angemeldet",
      text: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung, und melden Sie sich noch einmal ab.",
    },
    unsavedElsewhere: {
      title: "Abmelden?",
      text: "In einem anderen Tab ist Text, der nicht gesendet ist, oder ein Link, der nicht kopiert ist. Er geht verloren.",
      confirm: "Abmelden",
    },
    losesKeys: (keys, toCollect) => ({
      title: "Abmelden?",
      text: [
        plural(keys, {
          one: "Dieser Browser löscht den privaten Schlüssel von 1 Anforderung. Ohne ihre Sicherung kann niemand öffnen, was abgegeben wird.",
          other:
            "Dieser Browser löscht die privaten Schlüssel von {n} Anforderungen. Ohne ihre Sicherungen kann niemand öffnen, was abgegeben wird.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "1 Geheimnis wartet darauf, abgeholt zu werden.",
              other: "{n} Geheimnisse warten darauf, abgeholt zu werden.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Abmelden",
    }),
    keysLeft: {
      title: "Sie sind abgemeldet",
      text: "Dieser Browser hat die privaten Schlüssel Ihrer Anforderungen nicht gelöscht. Löschen Sie die Daten dieser Website in den Einstellungen des Browsers.",
    },
  },
  send: {
    title: "Geheimnis senden",
    lede: "Es wird hier in Ihrem Browser verschlüsselt. Sie bekommen einen Link zum Weitergeben.",
    policy: (lifetime, times, passphrase) =>
      plural(times, {
        one: `${lifetime}, einmal zu öffnen, ${passphrase}`,
        other: `${lifetime}, {n}-mal zu öffnen, ${passphrase}`,
      }),
    withoutPassphrase: "keine Passphrase",
    withPassphrase: "mit Passphrase",
    claims: "So oft zu öffnen",
    passphrase: "Passphrase (optional)",
    passphraseHint: "Der Empfänger braucht sie auch. Nennen Sie sie am Telefon oder in einer anderen App.",
    trimmed: "Leerzeichen am Anfang und Ende zählen nicht.",
    blankPassphrase: "Das sind nur Leerzeichen. Lassen Sie das Feld leer, oder geben Sie eine Passphrase ein.",
    suggest: "Vorschlagen",
    strength: (bits) => `Zufällig gewählte Wörter mit ${bits} Bit Zufall.`,
    guessable:
      "Wer an den Link kommt, könnte eine so kurze oder einfache Passphrase erraten. Sicherer sind mehrere zufällige Wörter, wie „Vorschlagen“ sie liefert.",
    makePassword: "Passwort erzeugen",
    passwordMade: (bits) => `Ein zufälliges hinzugefügt, ${bits} Bit`,
    label: "Name in Ihrer Liste (optional)",
    labelHint: "Nur dieser Browser hat ihn, bis Sie sich abmelden.",
    showName: (name) => `Dem Empfänger sagen, dass es von ${name} ist`,
    showNameHint: "Sonst sieht er nicht, wer es gesendet hat.",
    canceled: {
      revoked: "Abgebrochen. Es hatte den Server schon erreicht und wurde deshalb widerrufen: Niemand kann es öffnen.",
      absent: "Abgebrochen. Der Server hat nichts davon gespeichert.",
      unknown:
        "Abgebrochen. Vielleicht hat es den Server erreicht: Wenn es im Verlauf wartet, widerrufen Sie es dort. Niemand hat den Link, also kann es niemand öffnen.",
    },
    button: "Link erstellen",
  },
  ticket: {
    label: "Ticketnummer (optional)",
    hint: (example) =>
      `Zum Beispiel ${example}. Der Server speichert sie unverschlüsselt, und Ihr Team kann sie sehen.`,
    wrong: (example) => `Geben Sie eine Ticketnummer wie ${example} ein, oder lassen Sie das Feld leer.`,
    name: (ticket) => `Ticket ${ticket}`,
    text: "Ihr Team kann es sehen. Wer nur den Link hat, sieht es nicht.",
    only: (ticket) => `Nur ${ticket} anzeigen`,
    none: (ticket) => `Zu ${ticket} gibt es hier nichts.`,
  },
  terms: {
    change: "Ändern",
    unclear: "Optionen prüfen",
    lifetime: "Läuft ab in",
    other: "Andere …",
    unit: "Einheit",
    once: "Einmal",
    times: (count) => plural(count, { one: "{n}-mal", other: "{n}-mal" }),
    wrongLifetime: (least, most) => `Geben Sie mindestens ${least} und höchstens ${most} ein.`,
  },
  link: {
    copy: "Link kopieren",
    code: "QR-Code",
    hideCode: "Code verbergen",
    codeOf: "QR-Code des Links",
    scan: "Zum Öffnen scannen",
    share: "Teilen",
    shareFirst: "Link teilen …",
  },
  sent: {
    title: "Ihr Link ist fertig",
    lede: "Senden Sie ihn der Person, für die er ist. Der Link wird nicht noch einmal angezeigt.",
    ledeWithPassphrase:
      "Geben Sie zwei Dinge auf zwei verschiedenen Wegen weiter. Der Link wird nicht noch einmal angezeigt.",
    steps: { link: "Link senden", passphrase: "Passphrase nennen" },
    passphraseText: "Am Telefon oder in einer anderen App. Schreiben Sie sie nie in dieselbe Nachricht wie den Link.",
    hidden: "verborgen",
    copyPassphrase: "Passphrase kopieren",
    copiedPassphrase: "Passphrase kopiert",
    link: "Der Link",
    codeHint: "Es ist derselbe Link: Wer den Code scannt, hat ihn.",
    opens: (times) => plural(times, { one: "Einmal zu öffnen", other: "{n}-mal zu öffnen" }),
    anyone: (times) =>
      times === 1
        ? "Wer den Link hat, kann es öffnen. Danach wird es gelöscht."
        : "Wer den Link hat, kann es öffnen. Nach dem letzten Mal wird es gelöscht.",
    withPassphrase: "Ohne die Passphrase kann es niemand öffnen. Der Server kennt sie nicht.",
    expires: (when) => `Läuft ab: ${when}`,
    message: "Nachricht dazu",
    showMessage: "Anzeigen",
    copyMessage: "Nachricht kopieren",
    messageText: (link, times, when) =>
      plural(times, {
        one: `Hier ist ein Geheimnis für Sie. Es lässt sich einmal öffnen, bis ${when}:\n${link}`,
        other: `Hier ist ein Geheimnis für Sie. Es lässt sich {n}-mal öffnen, bis ${when}:\n${link}`,
      }),
    passphraseFollows: "Sie brauchen auch eine Passphrase. Ich nenne sie Ihnen auf einem anderen Weg.",
    live: "Was damit geschieht",
    activity: "Alles Gesendete",
    more: "Weiteres senden",
    revoke: "Widerrufen",
    claimedTitle: "Ihr Geheimnis wurde geöffnet",
    claimedText: (when) => `Geöffnet: ${when}. Der Link funktioniert nicht mehr.`,
    expiredTitle: "Ihr Geheimnis ist abgelaufen",
    expiredText: (when) => `Abgelaufen: ${when}. Der Link funktioniert nicht mehr.`,
    revokedTitle: "Ihr Geheimnis wurde widerrufen",
    revokedText: "Der Link funktioniert nicht mehr.",
  },
  ask: {
    title: "Geheimnis anfordern",
    lede: "Sie bekommen einen Link zum Weitergeben. Abgeben geht ohne Konto, und nur Sie können öffnen, was kommt.",
    note: "Was brauchen Sie? (optional)",
    placeholder: "Zum Beispiel: das Passwort der Testdatenbank, Benutzer „app“",
    noteHint: "Wer den Link hat, kann das lesen. Der Server kann es nicht.",
    policy: (lifetime, count) =>
      plural(count, { one: `${lifetime}, nimmt 1 Geheimnis an`, other: `${lifetime}, nimmt {n} Geheimnisse an` }),
    count: "Anzahl der Geheimnisse",
    showName: (name) => `Zeigen, dass ${name} darum bittet`,
    showNameHint: "Sonst sieht die Person mit dem Link nicht, wer darum bittet.",
    button: "Anforderungslink erstellen",
    busy: "Link wird erstellt …",
  },
  asked: {
    title: "Ihr Anforderungslink ist fertig",
    lede: "Senden Sie ihn der Person, die das Geheimnis hat.",
    link: "Der Anforderungslink",
    copy: "Anforderungslink kopieren",
    codeHint: "Es ist derselbe Link: Wer den Code scannt, kann etwas abgeben.",
    accepts: (most, when) =>
      plural(most, {
        one: `Er nimmt bis ${when} 1 Geheimnis an.`,
        other: `Er nimmt bis ${when} {n} Geheimnisse an.`,
      }),
    kept: "Nur dieser Browser kann öffnen, was abgegeben wird",
    keptText: "Der private Schlüssel bleibt hier, bis Sie sich abmelden. Sie finden die Anforderung unter „Verlauf“.",
    notKept: "Dieser Browser kann den privaten Schlüssel nicht behalten",
    notKeptText: "Sichern Sie ihn unten, sonst kann niemand öffnen, was abgegeben wird.",
    fulfilledTitle: "Alles wurde abgegeben",
    fulfilledText: (when) => `Abgegeben: ${when}. Der Link nimmt nichts mehr an.`,
    expiredTitle: "Ihre Anforderung ist abgelaufen",
    expiredText: (when) => `Abgelaufen: ${when}. Der Link nimmt nichts mehr an.`,
    revokedTitle: "Ihre Anforderung wurde widerrufen",
    revokedText: (when) => `Widerrufen: ${when}. Der Link nimmt nichts mehr an.`,
    backup: {
      title: "Schlüssel sichern, nur für Sie",
      kept: "Für einen anderen Browser, oder falls die Daten von diesem gelöscht werden. Nicht zum Versenden.",
      notKept: "Sichern Sie ihn, bevor Sie diese Seite schließen. Nicht zum Versenden.",
      text: "Die Datei öffnet, was abgegeben wird, in jedem Browser, in dem Sie angemeldet sind. Bewahren Sie sie an einem sicheren Ort auf.",
      warning: "Senden Sie sie nie jemandem: Der private Schlüssel ist darin.",
      save: "Schlüsseldatei sichern",
      file: (link) =>
        `Das ist der private Schlüssel einer Anforderung, die Sie mit handoff gestellt haben.\nUm zu öffnen, was abgegeben wurde, öffnen Sie diesen Link in einem Browser, in dem Sie angemeldet sind.\nSenden Sie ihn nie jemandem.\n\n${link}\n`,
      show: "Als Text anzeigen",
      sure: "Im Sicherungslink steckt der private Schlüssel. Achten Sie darauf, dass niemand sonst Ihren Bildschirm sieht, und senden Sie ihn nie jemandem.",
      showNow: "Sicherungslink anzeigen",
      link: "Der Sicherungslink",
    },
    more: "Weiteres anfordern",
    live: "Was damit geschieht",
    all: "Alles Angeforderte",
  },
  collect: {
    title: "Ihre Anforderung",
    nothingYet: "Noch nichts abgegeben. Diese Seite aktualisiert sich selbst.",
    handedInOf: (count, most) => `${number(count)} von ${number(most)} abgegeben.`,
    until: (when) => `Offen bis ${when}.`,
    paused: "Pausiert: Es kann nichts abgegeben werden.",
    nothing: "Es wurde nichts abgegeben.",
    keyDeleted: "Der private Schlüssel wurde gelöscht.",
    secret: (position) => `Geheimnis ${number(position)}`,
    handedIn: (when) => `Abgegeben: ${when}`,
    open: "Öffnen",
    actionOn: (action, name, idEnd) => `${action}: ${name} ${idEnd}`,
    showAgain: (left) => `Wieder anzeigen (noch ${left})`,
    cost: "Jedes Geheimnis lässt sich einmal öffnen. Halten Sie einen sicheren Ort bereit: Kurz nach dem Öffnen wird es vom Server gelöscht.",
    states: {
      available: "Wartet",
      claimed: "Geöffnet",
      expired: "Abgelaufen",
      revoked: "Widerrufen",
      lost: "Nicht angekommen",
    },
    expires: (when) => `Läuft ab: ${when}`,
    byOthers: "Von jemandem aus dem Team geöffnet, oder von Ihnen anderswo",
    neverOpened: "Nie geöffnet",
    taken: "Es wurde von jemandem aus dem Team geöffnet, oder von Ihnen anderswo.",
    expired: "Es ist abgelaufen und wurde nie geöffnet. Bitten Sie darum, es noch einmal abzugeben.",
    revoked: "Es wurde widerrufen und lässt sich nicht öffnen. Bitten Sie darum, es noch einmal abzugeben.",
    maybe: (until) =>
      `Vielleicht hat der Server es herausgegeben, aber hier kam keine Antwort an. Versuchen Sie es gleich noch einmal in diesem Browser, normalerweise geht das bis ${until}.`,
    lost: "Es ist hier nie angekommen. Bitten Sie darum, es noch einmal abzugeben.",
    openedHere: "Sie haben es in diesem Browser geöffnet.",
    undecryptable:
      "Es lässt sich mit dem Schlüssel dieses Browsers nicht entschlüsseln: Es ist beschädigt, oder es wurde für jemand anderen verschlüsselt. Bitten Sie darum, es noch einmal abzugeben.",
    back: "Zurück zur Anforderung",
    all: "Alle Anforderungen",
    signIn: {
      title: "Melden Sie sich zuerst an",
      text: "Nur wer angemeldet ist, kann öffnen, was abgegeben wurde. Melden Sie sich in einem anderen Tab an, und versuchen Sie es hier noch einmal.",
    },
    noKey: {
      title: "Der Schlüssel ist nicht in diesem Browser",
      text: "Öffnen Sie diese Anforderung in dem Browser, in dem Sie sie gestellt haben, oder mit dem Sicherungslink von dort.",
    },
    wrongKey: {
      title: "Dieser Link passt nicht zur Anforderung",
      text: "Der private Schlüssel darin gehört zu einer anderen. Kopieren Sie den ganzen Sicherungslink noch einmal.",
    },
    unknown: {
      title: "Diese Anforderung gibt es nicht",
      text: "Sie gehört zu einem anderen Team, oder sie ist schon lange beendet.",
    },
  },
  activity: {
    summary: (toCollect, waiting) =>
      parts(", ", [toCollect, { other: "{n} abzuholen" }], [waiting, { one: "1 wartet", other: "{n} warten" }]),
    filter: "Anzeigen",
    filters: { all: "Alles", sent: "Gesendet", asked: "Angefordert" },
    groups: { collect: "Abzuholen", waiting: "Wartet", done: "Erledigt" },
    secret: "Geheimnis",
    request: "Anforderung",
    sent: (when) => `Gesendet: ${when}`,
    asked: (when) => `Angefordert: ${when}`,
    expires: (when) => `Läuft ab: ${when}`,
    neverOpened: (when) => `${when}, nie geöffnet`,
    states: {
      waiting: "Wartet",
      opened: "Geöffnet",
      openedSome: (opens, most) => `${number(opens)} von ${number(most)} geöffnet`,
      expired: "Abgelaufen",
      revoked: "Widerrufen",
      toCollect: (count) => plural(count, { other: "{n} abzuholen" }),
      noKey: (count) =>
        plural(count, {
          one: "1 wartet, aber der Schlüssel ist nicht in diesem Browser",
          other: "{n} warten, aber der Schlüssel ist nicht in diesem Browser",
        }),
      nothingYet: "Noch nichts",
      paused: "Pausiert",
      handedIn: (count, most) => `${number(count)} von ${number(most)} abgegeben`,
      partlyOpened: (opened, expired, revoked) =>
        parts(
          ", ",
          [opened, { other: "{n} geöffnet" }],
          [expired, { other: "{n} abgelaufen" }],
          [revoked, { other: "{n} widerrufen" }],
        ),
    },
    news: (name, idEnd, state) => `${name} ${idEnd}: ${state}.`,
    more: (name, idEnd) => `Mehr zu ${name} ${idEnd}`,
    details: "Details",
    revoke: "Widerrufen",
    collect: "Abholen",
    collectThis: (name) => `Abholen: ${name}`,
    handedIn: "Was abgegeben wurde",
    sureSent: {
      title: "Dieses Geheimnis widerrufen?",
      text: "Danach lässt es sich nicht mehr öffnen.",
      confirm: "Widerrufen",
    },
    sureAsked: {
      title: "Diese Anforderung widerrufen?",
      text: "Danach kann nichts mehr abgegeben werden.",
      textWaiting: "Danach kann nichts mehr abgegeben werden. Was abgegeben wurde, können Sie weiterhin öffnen.",
      confirm: "Widerrufen",
    },
    noneSent: "Sie haben noch nichts gesendet.",
    noneAsked: "Sie haben noch nichts angefordert.",
    showMore: "Mehr anzeigen",
    notify: "Benachrichtigen, wenn etwas geöffnet oder abgegeben wird",
    notifying: "Dieser Browser benachrichtigt Sie, solange diese Seite in einem Tab offen ist.",
    notNotifying: "Dieser Browser erlaubt das nicht. Sie können es in seinen Einstellungen für diese Website ändern.",
    signedOut: "Sie sind abgemeldet. Diese Liste wird nicht mehr aktualisiert.",
    stale: "Was Sie sehen, ist vielleicht nicht mehr aktuell.",
    empty: {
      title: "Noch nichts hier",
      text: "Was Sie senden oder anfordern, erscheint hier, und Sie sehen, wann es geöffnet wird.",
      send: "Geheimnis senden",
      ask: "Eines anfordern",
    },
    facts: {
      state: "Zustand",
      sent: "Gesendet",
      asked: "Angefordert",
      expires: "Läuft ab",
      ended: "Beendet",
      opened: "Geöffnet",
      handedIn: "Abgegeben",
      times: (count, most) => `${number(count)} von ${number(most)}`,
      size: "Größe",
      ticket: "Ticket",
      id: "ID",
      history: {
        title: "Verlauf",
        byLink: "Mit dem Link geöffnet",
        byKey: "Mit einem API-Schlüssel geöffnet",
        byPerson: "Von einer angemeldeten Person geöffnet",
      },
      close: "Schließen",
    },
  },
  landing: {
    title: "Geheimnisse sicher senden",
    lede: "Passwörter, Schlüssel und Dateien, in Ihrem Browser verschlüsselt. Der Server kann sie nicht lesen.",
    link: "Sie haben einen Link?",
    placeholder: "Hier einfügen",
    hint: "Einfügen öffnet ihn noch nicht. Sie entscheiden auf der nächsten Seite.",
    steps: {
      encrypted: {
        title: "Auf Ihrem Gerät verschlüsselt",
        text: "Der Schlüssel steckt im Link. Der Server hat ihn nie.",
      },
      kept: {
        title: "Aufbewahrt, bis es geöffnet wird",
        text: "Es lässt sich so oft öffnen, wie der Absender wollte, normalerweise einmal, bis es abläuft.",
      },
      opened: {
        title: "Übergeben, dann gelöscht",
        text: "Der Absender sieht, wann es geöffnet wurde.",
      },
    },
    send: "Sie möchten etwas senden?",
    signIn: "Öffnen Sie den Anmeldelink von Ihrem Admin.",
    signInByAdmin: "Öffnen Sie den Anmeldelink von Ihrem Admin. Kein Konto? Fragen Sie Ihren Admin.",
    contact: "Kein Konto, oder eine Frage? Fragen Sie",
    commandLine: "Kommandozeile und API",
    commandLineText: "Mit einem API-Schlüssel von Ihrem Admin geht handoff auch im Terminal und in Programmen.",
    docs: "API-Dokumentation",
  },
  justNow: "gerade eben",
  today: (time) => `heute um ${time}`,
});
