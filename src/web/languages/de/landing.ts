import type { texts as english } from "../en/landing.ts";
import type { Translation } from "../translations.ts";

/** What the start page says, and what signing in and out says, in German. */
export const texts: Translation<typeof english> = ({ plural }) => ({
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
    manual: "Handbuch lesen (Englisch)",
  },
});
