import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
  contact: "Brauchen Sie Hilfe? Wenden Sie sich an",
  signIn: {
    title: "Anmelden",
    lede: "Ihr Admin hat diesen Link für Sie erstellt.",
    already:
      "Sie sind in diesem Browser schon angemeldet. Der Link meldet stattdessen die Person an, für die er erstellt wurde. Private Schlüssel von Anfragen bleiben in diesem Browser, bis Sie sich abmelden.",
    once: "Der Link funktioniert nur einmal. Melden Sie sich an einem gemeinsam genutzten Computer ab, wenn Sie fertig sind.",
    button: "Anmelden",
    busy: "Anmeldung läuft …",
    stay: "Angemeldet bleiben",
    signedIn: "Sie sind angemeldet",
    goOn: "Weiter",
    signedInAs: (name, team) => `Sie sind als ${name} angemeldet, Team ${team}.`,
    until: (when) => `Ohne weitere Nutzung werden Sie ${when} abgemeldet.`,
    notYou: "Nicht Sie? Abmelden",
    faults: {
      missing: {
        title: "Anmelden",
        text: "Öffnen Sie den ganzen Anmeldelink von Ihrem Admin, auch den Teil nach #.",
      },
      cut: {
        title: "Dieser Anmeldelink ist unvollständig",
        text: "Kopieren Sie den ganzen Link aus der Nachricht Ihres Admins.",
      },
      long: {
        title: "Dieser Anmeldelink enthält zu viele Zeichen",
        text: "Kopieren Sie ihn noch einmal ohne die Zeichen, die nicht dazugehören.",
      },
      mistyped: {
        title: "Dieser Anmeldelink enthält einen Tippfehler",
        text: "Kopieren Sie ihn noch einmal aus der Nachricht Ihres Admins.",
      },
    },
    needsHttps: {
      title: "Dieser Browser braucht HTTPS zum Anmelden",
      text: "Die Adresse beginnt mit http. Safari und einige andere Browser bleiben nur über HTTPS angemeldet. Öffnen Sie den Link in Chrome oder Firefox oder bitten Sie Ihren Admin um eine HTTPS-Adresse. Der Link wurde hier nicht benutzt.",
    },
    noCookie: {
      title: "Dieser Browser merkt sich die Anmeldung nicht",
      text: "Er lehnt das Cookie dieser Seite ab. Erlauben Sie Cookies für diese Adresse und öffnen Sie Ihren Anmeldelink noch einmal. Funktioniert er nicht mehr, bitten Sie Ihren Admin um einen neuen.",
    },
    refused: {
      title: "Dieser Anmeldelink funktioniert nicht",
      text: "Er ist abgelaufen oder wurde benutzt, ersetzt oder zurückgezogen. Bitten Sie Ihren Admin um einen neuen.",
    },
    passkey: {
      button: "Mit Passkey anmelden",
      unknown:
        "Dieser Passkey funktioniert hier nicht. Vielleicht wurde er entfernt. Nehmen Sie einen anderen oder fragen Sie Ihren Admin nach einem Anmeldelink.",
      late: "Das hat zu lange gedauert. Versuchen Sie es noch einmal.",
      unusable:
        "Dieser Browser kann hier keinen Passkey verwenden. Öffnen Sie stattdessen einen Anmeldelink von Ihrem Admin.",
      noCookie:
        "Dieser Browser lehnt das Cookie dieser Seite ab. Erlauben Sie Cookies für diese Adresse und versuchen Sie es noch einmal.",
    },
    keepTab: "Vielleicht wurde der Link benutzt. Dann funktioniert er nur noch in diesem Tab.",
  },
  signOut: {
    stillSignedIn: {
      title: "Sie sind noch angemeldet",
      text: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und melden Sie sich noch einmal ab.",
    },
    unsavedElsewhere: {
      title: "Abmelden?",
      text: "In einem anderen Tab ist Text nicht gesendet oder ein Link nicht kopiert. Das geht verloren.",
      confirm: "Abmelden",
    },
    losesKeys: (keys, toCollect) => ({
      title: "Abmelden?",
      text: [
        plural(keys, {
          one: "Dieser Browser löscht dann den privaten Schlüssel von 1 Anfrage. Ohne dessen Sicherung kann niemand öffnen, was abgegeben wird.",
          other:
            "Dieser Browser löscht dann die privaten Schlüssel von {n} Anfragen. Ohne deren Sicherungen kann niemand öffnen, was abgegeben wird.",
        }),
        toCollect > 0
          ? plural(toCollect, {
              one: "1 Abgabe ist noch abzuholen.",
              other: "{n} Abgaben sind noch abzuholen.",
            })
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      confirm: "Abmelden",
    }),
    keysLeft: {
      title: "Sie sind abgemeldet",
      text: "Dieser Browser hat die privaten Schlüssel Ihrer Anfragen nicht gelöscht. Löschen Sie die Daten dieser Website in den Einstellungen des Browsers.",
    },
  },
  nothingAllowed: {
    title: "Sie können noch nichts senden oder anfordern",
    text: "Sie sind angemeldet, dürfen aber weder senden noch anfordern noch den Verlauf sehen. Fragen Sie Ihren Admin.",
  },
  landing: {
    title: "Vertrauliches sicher senden",
    lede: "Passwörter, Schlüssel und Dateien, in Ihrem Browser verschlüsselt. Der Server kann sie nicht lesen.",
    link: "Sie haben einen Link? Hier einfügen.",
    hint: "Vor dem Öffnen sehen Sie, was Sie erwartet.",
    steps: {
      encrypted: {
        title: "Hier versiegelt",
        text: "Ihr Browser verschlüsselt den Inhalt. Der Schlüssel steckt im Link und erreicht den Server nie.",
      },
      kept: {
        title: "Einmal geöffnet",
        text: "Der Link funktioniert einmal, sofern der Absender nicht mehr erlaubt. Danach löscht der Server den Inhalt.",
      },
      opened: {
        title: "Immer im Blick",
        text: "Der Absender sieht, wann der Inhalt geöffnet wurde.",
      },
    },
    signIn: "Zum Senden öffnen Sie den Anmeldelink von Ihrem Admin.",
    signInByAdmin: "Zum Senden brauchen Sie einen Anmeldelink. Fragen Sie Ihren Admin danach.",
    withoutPasskey: "Noch kein Passkey? Öffnen Sie den Anmeldelink von Ihrem Admin.",
    withoutPasskeyByAdmin: "Noch kein Passkey? Fragen Sie Ihren Admin nach einem Anmeldelink.",
    contact: "Kein Konto oder eine Frage? Wenden Sie sich an",
    commandLine: "Kommandozeile und API",
    commandLineText: "Mit einem API-Schlüssel von Ihrem Admin läuft handoff auch im Terminal und in Programmen.",
    docs: "API-Dokumentation",
  },
});
