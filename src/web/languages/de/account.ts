import type { texts as english } from "../en/account.ts";
import type { Translation } from "../translations.ts";

/** What a person's account says, in German. */
export const texts: Translation<typeof english> = ({ number }) => ({
  account: {
    browserOn: (browser, system) => `${browser} auf ${system}`,
    unknownBrowser: "Unbekannter Browser",
    actionOn: (action, name) => `${action}: ${name}`,
    passkeys: {
      title: "Passkeys",
      what: "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder PIN an und brauchen keinen Link.",
      none: "Sie haben noch keinen Passkey.",
      unsupported: "Dieser Browser kann keine Passkeys verwenden.",
      most: (count) => `Mehr als ${number(count)} Passkeys sind nicht möglich. Entfernen Sie erst einen.`,
      added: (when) => `Hinzugefügt ${when}`,
      used: (when) => `Zuletzt ${when} verwendet`,
      unused: "Noch nicht verwendet",
      add: "Passkey hinzufügen",
      adding: "Wird hinzugefügt …",
      isAdded: "Der Passkey wurde hinzugefügt.",
      remove: "Entfernen",
      removing: "Wird entfernt …",
      isRemoved: "Der Passkey wurde entfernt.",
      sure: {
        title: "Diesen Passkey entfernen?",
        text: "Danach können Sie sich nicht mehr damit anmelden. Auf Ihrem Gerät bleibt er vielleicht, bis Sie ihn dort löschen.",
        confirm: "Entfernen",
      },
      known: "Dort haben Sie schon einen Passkey.",
      refused: "Der Server hat den Passkey nicht angenommen. Versuchen Sie es noch einmal.",
      unusable: "Dieser Browser kann hier keinen Passkey hinzufügen. Versuchen Sie es mit einem anderen Browser.",
      offer: "Damit Sie beim nächsten Mal keinen Link brauchen, fügen Sie einen Passkey hinzu.",
      later: "Nicht jetzt",
    },
    notices: {
      title: "Mails",
      what: (address) => `Diese Mails gehen an ${address}.`,
      opened: "Wenn etwas geöffnet wird, das Sie gesendet haben",
      ending: "Einen Tag bevor etwas abläuft, das niemand geöffnet hat",
      handedIn: "Wenn jemand etwas für Sie abgibt",
      asked: "Wenn jemand auf Ihre Zustimmung wartet",
      isSaved: "Gespeichert.",
      whereSent: "Mail an mich, wenn etwas von mir geöffnet wird",
      whereAsked: "Mail an mich, wenn jemand auf meine Zustimmung wartet",
    },
    sessions: {
      title: "Wo Sie angemeldet sind",
      here: "Dieser Browser",
      since: (when) => `Angemeldet ${when}`,
      used: (when) => `Zuletzt ${when} verwendet`,
      signOut: "Abmelden",
      signingOut: "Wird abgemeldet …",
      isSignedOut: "Dort sind Sie jetzt abgemeldet.",
      others: "Überall sonst abmelden",
      areSignedOut: "Überall sonst sind Sie jetzt abgemeldet.",
    },
  },
  again: {
    titles: {
      add: "Melden Sie sich noch einmal an, um einen Passkey hinzuzufügen",
      remove: "Melden Sie sich noch einmal an, um einen Passkey zu entfernen",
      terminal: "Melden Sie sich noch einmal an, um ein Terminal zuzulassen",
    },
    text: "Ihre Anmeldung liegt mehr als 15 Minuten zurück. Die neue zeigt, dass Sie es noch sind.",
    otherwise:
      "Wenn nichts davon möglich ist, bitten Sie Ihren Admin um einen Anmeldelink und öffnen Sie ihn in diesem Browser.",
    back: "Zurück",
  },
});
